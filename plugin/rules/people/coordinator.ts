import { follow } from '../../schema/language/define-settling.js'

/** A coordinator who is no longer a member of the team is not its coordinator any more (behaviour: Teams). */
export const coordinatorOfMembers = follow('coordinator', {
  of: { members: { link: 'members' } },
  fields: ['coordinator'],
  keeps: { coordinator: ['members'] },
  decide({ members, owner }) {
    const coordinator = owner['coordinator_id'] ?? null
    const isMember = coordinator === null || members.some(({ to }) => to === coordinator)
    return { owner: { coordinator_id: isMember ? coordinator : null } }
  },
})
