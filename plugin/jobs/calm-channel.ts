import { InMemoryNotificationChannel, type JobNotification } from 'agenda'

/**
 * Tells Agenda about new jobs and free places in this process, one notification per job name at a time. Agenda answers each
 * one with as many locks as it has places; a burst of a thousand wakes would lock far too many jobs at once, give most of
 * them back and keep the store busy with itself. What comes while Agenda looks is one more look afterwards.
 */
export class CalmChannel extends InMemoryNotificationChannel {
  /** By job name, while Agenda looks: the notification to pass on next, if any. */
  private readonly waiting = new Map<string, JobNotification | undefined>()

  /** Resolves at once: who wakes a job does not wait for its lock. */
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

/** Agenda ignores jobs that are not due soon, so the earliest time must survive. */
function isEarlier(one: JobNotification, other: JobNotification | undefined): boolean {
  return !other || (one.nextRunAt?.getTime() ?? 0) < (other.nextRunAt?.getTime() ?? 0)
}
