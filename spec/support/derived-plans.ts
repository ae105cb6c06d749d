/** How inputs of stored values change that belong to changes, projects, their tasks and releases. */
import type { Place } from './derived-place.js'
import { type Step, settingIn } from './derived-steps.js'

export function changesOfChanges(place: Place): Record<string, readonly Step[]> {
  const { add, at, change, remove } = place
  const set = settingIn(place)
  const approve = ['task', 'approve'] as const
  return {
    'task.change': [
      () =>
        add('extra', 'task', {
          ...{ subject: 'Extra', category: 'implementation', change_id: at('small'), template_id: at('step') },
          ...{ team_id: at('plain'), planned_duration: 40, impact: 'top', status: 'waiting_for' },
        }),
      () =>
        add('extra later', 'task', {
          ...{ subject: 'Later', category: 'risk_and_impact', change_id: at('later'), template_id: at('step') },
          ...{ team_id: at('plain'), planned_duration: 400, predecessor_ids: [at('second later')] },
        }),
      () =>
        add('empty', 'change', {
          ...{ subject: 'Empty', category: 'standard', change_type: 'infrastructure_change', justification: 'move' },
          ...{ release_id: at('summer'), template_id: at('plan'), service_id: at('web service') },
          start_at: '2026-12-24T09:00:00Z',
        }),
      () =>
        add('first of empty', 'task', {
          ...{ subject: 'First', category: 'implementation', change_id: at('empty'), template_id: at('step') },
          ...{ team_id: at('plain'), planned_duration: 1 },
        }),
      ...set('task', 'first of empty', 'status', 'canceled'),
      () =>
        add('second of empty', 'task', {
          ...{ subject: 'Second', category: 'implementation', change_id: at('empty'), template_id: at('step') },
          ...{ team_id: at('plain'), planned_duration: 1 },
        }),
    ],
    'task.impact': [...set('task', 'install', 'impact', 'top', null, 'medium')],
    'task.planned_duration': set('task', 'risk', 'planned_duration', 25, 10),
    'task.team': set('task', 'install', 'team_id', at('other team'), at('zoned')),
    'task.template': set('task', 'check', 'template_id', at('other step'), at('step')),
    'task.start_at': [
      ...set('task', 'check', 'start_at', '2027-01-10T09:00:00Z', null),
      ...set('task', 'extra', 'status', 'completed'),
      () =>
        add('waits', 'task', {
          ...{ subject: 'Waits', category: 'implementation', change_id: at('small'), template_id: at('step') },
          ...{ team_id: at('plain'), planned_duration: 4, start_at: '2027-01-20T09:00:00Z' },
        }),
      ...set('task', 'waits', 'start_at', '2027-01-21T09:00:00Z', '2026-11-01T09:00:00Z'),
    ],
    'task.predecessors': [
      () => place.unlink('task', 'check', 'predecessors', 'install'),
      ...set('task', 'check', 'status', 'registered'),
      () => place.link('task', 'check', 'predecessors', 'install'),
      ...set('task', 'check', 'status', 'registered'),
      () => place.unlink('task', 'install', 'successors', 'check'),
      () => change('task', 'check', { status: 'registered', predecessor_ids: [at('install')] }),
      // Of a task that waits for its own time.
      () =>
        add('waits behind', 'task', {
          ...{ subject: 'Waits', category: 'implementation', change_id: at('small'), template_id: at('step') },
          ...{ team_id: at('plain'), planned_duration: 4, start_at: '2027-01-22T09:00:00Z', predecessor_ids: [at('waits')] },
        }),
      ...set('task', 'waits behind', 'predecessor_ids', []),
      () => change('task', 'waits behind', { predecessor_ids: [at('waits')] }),
    ],
    'task.assigned_at': set('task', 'risk', 'assigned_at', '2026-11-18T08:00:00Z', '2026-11-18T09:00:00Z'),
    'task.status': [
      ...set('task', 'waits', 'status', 'completed', 'assigned'),
      () => change('task', 'risk', { status: 'waiting_for', waiting_until: '2027-03-01T09:00:00Z' }),
      ...set('task', 'risk', 'status', 'failed', 'in_progress', 'completed'),
    ],
    'task.finished_at': set('task', 'risk', 'finished_at', '2026-11-18T15:00:00Z', '2026-11-18T16:00:00Z'),
    'task_approval.approver': [
      ...set('task_approval', 'approval of bob', 'approver_id', at('cora'), at('bob')),
      () => remove('task_approval', 'approval of ann', approve),
      ...set('task_approval', 'approval of bob', 'approver_id', at('cora'), at('bob')),
      () => add('approval of ann', 'task_approval', { approver_id: at('ann') }, approve),
    ],
    'task_approval.status': [
      ...set('task_approval', 'approval of ann', 'status', 'approved'),
      ...set('task_approval', 'approval of bob', 'status', 'rejected'),
      ...set('task', 'approve', 'status', 'assigned'),
      ...set('task_approval', 'approval of ann', 'status', 'approved'),
    ],
    'task.required_approvals': [
      ...set('task', 'approve', 'required_approvals', 1),
      () => change('task', 'approve', { status: 'assigned', required_approvals: 2 }),
    ],
    'task_approval.owner': [
      ...set('task_approval', 'approval of ann', 'status', 'approved'),
      () => add('approval of cora', 'task_approval', { approver_id: at('cora') }, approve),
      ...set('task_approval', 'approval of bob', 'status', 'rejected'),
      // Two of the three that are left cannot approve any more.
      () => remove('task_approval', 'approval of cora', approve),
      ...set('task', 'approve', 'status', 'assigned'),
      () => remove('task_approval', 'approval of ann', approve),
      () => add('approval of ann', 'task_approval', { approver_id: at('ann') }, approve),
    ],
    'task.category': [
      ...set('task', 'install', 'status', 'registered'),
      ...set('task', 'only', 'category', 'risk_and_impact', 'implementation'),
      () => remove('task_approval', 'approval of ann', approve),
      ...set('task_approval', 'approval of bob', 'status', 'assigned'),
      ...set('task', 'approve', 'category', 'implementation'),
      ...set('task', 'approve', 'member_id', at('mia')),
      ...set('task', 'approve', 'category', 'approval'),
      ...set('task', 'approve', 'required_approvals', 1),
      ...set('task', 'approve', 'category', 'implementation'),
      ...set('task', 'approve', 'status', 'assigned'),
      ...set('task_approval', 'approval of bob', 'status', 'completed'),
      ...set('task', 'approve', 'category', 'approval'),
      ...set('task_approval', 'approval of bob', 'status', 'approved'),
    ],
    'change.start_at': [
      ...set('task', 'first later', 'start_at', '2027-01-25T09:00:00Z'),
      ...set('change', 'later', 'start_at', '2026-12-21T09:00:00Z', '2026-11-01T09:00:00Z'),
      ...set('task', 'first later', 'start_at', null),
    ],
    'change.template': set('change', 'upgrade', 'template_id', at('other plan'), at('plan')),
    'change.completion_reason': [
      ...set('problem', 'problem', 'member_id', null),
      ...set('request', 'medium', 'change_id', at('small')),
      ...set('request', 'on mail', 'change_id', at('later')),
      ...set('problem', 'problem', 'change_id', at('later')),
      ...set('change', 'small', 'completion_reason', 'complete'),
      ...set('change', 'small', 'completion_reason', 'partial'),
      ...set('change', 'later', 'completion_reason', 'rolled_back'),
      ...set('task', 'only', 'status', 'assigned', 'completed'),
      ...set('task', 'waits', 'status', 'assigned', 'canceled'),
      ...set('request', 'medium', 'change_id', null),
      ...set('request', 'on mail', 'change_id', null),
      ...set('problem', 'problem', 'change_id', null),
    ],
    'change.release': [
      ...set('change', 'upgrade', 'release_id', at('summer')),
      ...set('change', 'small', 'release_id', at('summer')),
      () => place.link('release', 'spring', 'changes', 'upgrade'),
      ...set('change', 'small', 'release_id', at('spring')),
      () => add('autumn', 'release', { subject: 'Autumn', manager_id: at('mia') }),
      () => change('change', 'later', { release_id: at('autumn') }),
      () => change('change', 'small', { release_id: at('autumn') }),
    ],
  }
}

export function changesOfProjects(place: Place): Record<string, readonly Step[]> {
  const { add, at, change, remove } = place
  const set = settingIn(place)
  const decide = ['project_task', 'decide'] as const
  const addPart = (name: string, project: string, body: object) =>
    add(name, 'project_task', {
      ...{ subject: name, category: 'activity', project_id: at(project), template_id: at('part') },
      ...{ planned_duration: 4, ...body },
    })
  const project = (field: string, ...values: readonly unknown[]) => set('project', 'office move', field, ...values)
  return {
    'project.cost_of_effort': project('cost_of_effort', 250, 100),
    'project.cost_of_purchases': project('cost_of_purchases', 33.5, null),
    'project.value': project('value', 1000, 400),
    'project.work_hours': project('work_hours_id', at('others'), at('hours')),
    'project.time_zone': project('time_zone', 'Tokyo', 'Amsterdam'),
    'project_task.planned_duration': set('project_task', 'draw', 'planned_duration', 30, 12),
    'project_task.template': set('project_task', 'draw', 'template_id', at('other part'), at('part')),
    'project_task.start_at': [
      ...set('project_task', 'work', 'start_at', '2027-01-10T09:00:00Z', null),
      () =>
        add('waits too', 'project_task', {
          ...{ subject: 'Waits', category: 'activity', project_id: at('office move'), template_id: at('part') },
          ...{ planned_duration: 4, start_at: '2027-01-20T09:00:00Z' },
        }),
      ...set('project_task', 'waits too', 'start_at', '2027-01-21T09:00:00Z', '2026-11-01T09:00:00Z'),
      ...set('project_task', 'waits too', 'status', 'canceled'),
    ],
    'project_task.predecessors': [
      () => place.unlink('project_task', 'celebrate', 'predecessors', 'work'),
      () => change('project_task', 'celebrate', { status: 'registered', predecessor_ids: [at('work')] }),
      () =>
        add('waits as well', 'project_task', {
          ...{ subject: 'Waits', category: 'activity', project_id: at('office move'), template_id: at('part') },
          ...{ planned_duration: 4, start_at: '2027-01-20T09:00:00Z', predecessor_ids: [at('work')] },
        }),
      ...set('project_task', 'waits as well', 'predecessor_ids', [], [at('work')]),
    ],
    'project_phase.id': [
      ...set('project_task', 'celebrate', 'phase_id', at('unused')),
      () => remove('project_phase', 'unused', ['project', 'office move']),
      () => add('unused', 'project_phase', { name: 'unused' }, ['project', 'office move']),
    ],
    'project_task.status': [
      ...set('project_task', 'draw', 'status', 'failed', 'in_progress'),
      () => change('project_task', 'draw', { status: 'waiting_for', waiting_until: '2027-03-01T09:00:00Z' }),
      ...set('project_task', 'draw', 'status', 'completed', 'in_progress', 'completed'),
    ],
    'project_task_assignment.status': [
      () =>
        change('project_task_assignment', 'decision of ann', { status: 'waiting_for', waiting_until: '2027-03-01T09:00:00Z' }),
      ...set('project_task_assignment', 'decision of ann', 'status', 'rejected', 'assigned'),
      ...set('project_task', 'decide', 'required_approvals', 2),
      ...set('project_task_assignment', 'decision of ann', 'status', 'approved'),
    ],
    'project_task.category': [
      ...set('project_task', 'celebrate', 'category', 'activity'),
      () => change('project_task', 'celebrate', { category: 'milestone', deadline: '2027-01-01T09:00:00Z' }),
      // Nobody decides about an activity.
      ...set('project_task', 'decide', 'category', 'activity'),
      ...set('project_task', 'decide', 'required_approvals', 1),
      ...set('project_task', 'decide', 'category', 'approval'),
      () => change('project_task', 'decide', { status: 'assigned', required_approvals: 2 }),
      ...set('project_task_assignment', 'decision of ann', 'status', 'approved'),
    ],
    'project_task.required_approvals': [
      ...set('project_task', 'decide', 'required_approvals', 1),
      () => change('project_task', 'decide', { status: 'assigned', required_approvals: 2 }),
      ...set('project_task_assignment', 'decision of ann', 'status', 'approved'),
      ...set('project_task_assignment', 'decision of bob', 'status', 'approved'),
      ...set('project_task_assignment', 'work of ann', 'status', 'completed'),
    ],
    'project_task_assignment.owner': [
      ...set('project_task', 'work', 'status', 'assigned'),
      ...set('project_task_assignment', 'work of ann', 'status', 'completed'),
      ...set('project_task', 'work', 'status', 'assigned'),
      () => add('work of bob', 'project_task_assignment', { assignee_id: at('bob') }, ['project_task', 'work']),
      ...set('project_task_assignment', 'work of ann', 'status', 'completed'),
      () => remove('project_task_assignment', 'work of bob', ['project_task', 'work']),
      ...set('project_task', 'decide', 'status', 'assigned'),
      () => remove('project_task_assignment', 'decision of bob', decide),
      () => add('decision of bob', 'project_task_assignment', { assignee_id: at('bob') }, decide),
    ],
    'project.completion_reason': [
      ...set('request', 'medium', 'status', 'assigned'),
      ...set('request', 'medium', 'project_id', at('short')),
      () => change('problem', 'problem', { project_id: at('short'), member_id: null }),
      ...set('project', 'short', 'completion_reason', 'complete', 'partial', null),
      ...set('project_task', 'short part', 'status', 'assigned'),
      () => change('request', 'on mail', { project_id: at('short') }),
      ...set('project', 'short', 'completion_reason', 'abandoned'),
      ...set('project_task', 'short part', 'status', 'assigned', 'completed'),
    ],
    'project_task.project': [
      // A completed project is opened.
      () => addPart('one more part', 'short', {}),
      ...set('project_task', 'one more part', 'status', 'completed'),
      () => addPart('begun part', 'office move', { planned_duration: 400, phase_id: at('last'), status: 'in_progress' }),
      () => add('late', 'project_phase', { name: 'late' }, ['project', 'office move']),
      () => addPart('done part', 'office move', { phase_id: at('late'), status: 'completed' }),
      ...set('project_task', 'begun part', 'status', 'canceled'),
    ],
    'project_task.phase': [
      ...set('project_task', 'draw', 'phase_id', at('build'), null, at('prepare')),
      () => change('project_task', 'celebrate', { phase_id: at('unused') }),
      ...set('project_task', 'done part', 'phase_id', null),
    ],
  }
}
