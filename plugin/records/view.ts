import { atMostPer } from '../rules/general/at-most-per.js'
import { fillWithCaller } from '../rules/general/fill.js'
import { keepsQuery } from '../rules/general/keeps-query.js'
import { teamOfCaller } from '../rules/people/team-of-caller.js'
import { identity, times } from '../schema/kinds/common-fields.js'
import { ref, string } from '../schema/kinds/fields.js'
import { anyOf, me, myTeams } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'

/** Maximum number of views of a person. */
const MAX_VIEWS = 200

/** The person, those who lead the team, and administrators, who also look after views of people who have left. */
const KEEPERS: readonly Grant[] = [
  'account_administrator',
  { person: 'person' },
  { person: 'team_manager' },
  { person: 'team_coordinator' },
]

/** Parameters of a list under a name, for one person or the members of a team (behaviour: Views). */
export const view = defineRecord('view', {
  path: 'views',
  operations: ['list', 'single', 'create', 'update', 'remove'],
  fields: {
    ...identity,
    name: string(128, { required: true }),
    record_type: string(64, { required: true }),
    query: string(2_000),
    person: ref('person', { required: true, write: ['account_administrator'] }),
    team: ref('team'),
    team_manager: ref('person', { hidden: true, derived: { from: 'team.manager', as: 'value' } }),
    team_coordinator: ref('person', { hidden: true, derived: { from: 'team.coordinator', as: 'value' } }),
    ...times,
  },
  collection: {
    sort: 'name',
    sortable: 'id name record_type created_at updated_at',
    filterable: 'id name record_type person team created_at updated_at',
  },
  lists: { for_me: anyOf({ person: me }, { team: myTeams }) },
  access: {
    // Those of everybody are personal records, as time entries are: seen by the same people.
    see: {
      roles: ['account_administrator', 'auditor'],
      otherwise: anyOf({ person: me }, { team: myTeams }, { 'team.manager': me }),
    },
    create: ['anyone'],
    update: KEEPERS,
    remove: KEEPERS,
  },
  rules: [
    fillWithCaller('person'),
    teamOfCaller('team'),
    keepsQuery('query', { of: 'record_type' }),
    atMostPer('person', { max: MAX_VIEWS }),
  ],
})
