import { InMemoryNotificationChannel, type JobNotification } from 'agenda'

/**
 * Notifies Agenda of new jobs and free slots in this process, with one notification per job name at a time. Agenda responds to
 * each with as many locks as it has slots. A burst of a thousand wakes would lock far too many jobs at once, unlock most of
 * them and keep the store busy. All that come while Agenda looks cause one more look after it.
 */
export class CoalescingChannel extends InMemoryNotificationChannel {
  /** By job name, while Agenda looks: the next notification to pass on, if any. */
  private readonly waiting = new Map<string, JobNotification | undefined>()

  /** Resolves at once: a caller that wakes a job does not wait for its lock. */
  override async publish(notification: JobNotification): Promise<void> {
    const { jobName } = notification
    if (!this.waiting.has(jobName)) void this.passOn(notification)
    else if (isEarlier(notification, this.waiting.get(jobName))) this.waiting.set(jobName, notification)
  }

  private async passOn(first: JobNotification): Promise<void> {
    const { jobName } = first
    for (let next: JobNotification | undefined = first; next && this.state === 'connected'; next = this.waiting.get(jobName)) {
      this.waiting.set(jobName, undefined)
      await this.notifyHandlers(next)
    }
    this.waiting.delete(jobName)
  }
}

/** Agenda ignores jobs that are not due soon, so the earliest time must be kept. */
function isEarlier(one: JobNotification, other: JobNotification | undefined): boolean {
  return !other || (one.nextRunAt?.getTime() ?? 0) < (other.nextRunAt?.getTime() ?? 0)
}
