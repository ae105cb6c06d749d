/** English texts of plans. */
export const planTexts = {
  plan: 'Plan',
  plan_all_tasks: 'All tasks',
  plan_begin: 'Begin',
  plan_chain: 'The chain that decides the end: {tasks} ({hours})',
  plan_chain_more: '{count} more',
  plan_decides: 'Decides the end',
  plan_empty:
    'This project has no tasks yet. Add them by an import or through the API: then they are shown here along the time and in their order.',
  plan_empty_change: 'This change has no tasks yet. They come with its template; add others by an import or through the API.',
  plan_end: 'End',
  plan_expected: 'expected',
  plan_graph: 'Graph',
  plan_graph_free: 'No task waits for another one.',
  plan_graph_help: 'Each task stands after those that it waits for. The table says the same in words.',
  plan_no_times: 'No times',
  plan_now: 'Now',
  plan_others: 'Tasks that are not shown here: {count}',
  plan_row: 'from {begin} to {end}, {hours}',
  plan_show_more: 'Show {count} more',
  plan_shown_of: '{count} of {total} tasks are shown.',
  plan_table: 'Table',
  plan_timeline: 'Timeline',
  plan_views: 'Views of the plan',
  plan_waits_for_others: '+{count} before it',
  plan_who: 'Assigned to',
  plan_without_phase: 'Without a phase',
  plan_without_times:
    'None of these tasks has a time yet: they wait for one that has failed or was rejected. The graph shows which.',
} as const

/** Texts of plans in one language. */
export type PlanTexts = { readonly [Key in keyof typeof planTexts]: string }
