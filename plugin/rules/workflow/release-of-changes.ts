/** Releases follow from their changes (spec, Release; behaviour: Releases). */
import { follow } from '../../schema/language/define-settling.js'
import { highest, IMPACTS, lastTarget, STAGES } from './progress.js'

/** Status, reason, impact and target of a release from its changes; it is registered without any. */
export const releaseOfChanges = follow('changes', {
  of: { changes: { type: 'change', by: 'release' } },
  fields: ['status', 'completion_reason', 'impact', 'completion_target_at'],
  keeps: {
    status: ['changes', 'changes.status'],
    completion_reason: ['changes', 'changes.status', 'changes.completion_reason'],
    impact: ['changes', 'changes.impact'],
    completion_target_at: ['changes', 'changes.completion_target_at'],
  },
  moves: {
    owner: [
      { to: [...STAGES], when: 'that is how far the furthest of its changes is' },
      { notFrom: ['progress_halted'], to: 'progress_halted', when: 'one of its changes is halted' },
      { notFrom: ['completed'], to: 'completed', when: 'all of its changes are completed' },
      { to: 'registered', when: 'none of its changes has begun' },
    ],
  },
  decide({ changes }) {
    const statuses = changes.map(({ status }) => String(status))
    const isCompleted = statuses.length > 0 && statuses.every((status) => status === 'completed')
    const reasons = new Set(changes.map(({ completion_reason = null }) => completion_reason))
    const [reason = null] = reasons
    return {
      owner: {
        status: isCompleted ? 'completed' : stageOfRelease(statuses),
        completion_reason: isCompleted ? (reasons.size === 1 ? reason : 'partial') : null,
        impact: highest(
          changes.map(({ impact = null }) => impact as string | null),
          IMPACTS,
        ),
        completion_target_at: lastTarget(changes),
      },
    }
  },
})

/** Halted with one of its changes, else as far as the furthest one; a completed one has been implemented. */
function stageOfRelease(statuses: readonly string[]): string {
  if (statuses.includes('progress_halted')) return 'progress_halted'
  const reached = statuses.map((status) => (status === 'completed' ? 'implementation' : status))
  return highest(reached, ['registered', ...STAGES])
}
