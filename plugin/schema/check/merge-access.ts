/** Adds permissions of extensions to the access part of a definition. Existing permissions stay. */
import type { Condition } from '../language/conditions.js'
import type { Access } from '../language/define-record.js'
import type { Extension, MoreAccess } from '../language/extend-record.js'
import { grantName } from '../language/who.js'
import type { Patch } from './patch.js'

/** The access part with all permissions that extensions add. */
export function mergedAccess(patch: Patch): Access {
  const { access } = patch.definition
  const grants = (action: 'create' | 'update' | 'remove') =>
    patch.joined({
      part: `access.${action}`,
      own: access[action],
      pick: (extension) => extension.access?.[action],
      name: grantName,
    })
  const sees = access.see !== undefined || !isAdded(patch, 'access.see: all callers see all records already', ({ see }) => see)
  const uses =
    access.use !== undefined || !isAdded(patch, 'access.use: the type is open to all callers already', ({ use }) => use)
  return {
    ...access,
    ...(access.use && uses ? { use: patch.joined({ part: 'access.use', own: access.use, pick: useOf, name: String }) } : {}),
    ...(access.see && sees ? { see: mergedSee(patch, access.see) } : {}),
    create: grants('create'),
    update: grants('update'),
    ...(access.remove || patch.additions.some(({ extension }) => extension.access?.remove) ? { remove: grants('remove') } : {}),
  }
}

const useOf = (extension: Extension) => extension.access?.use

/** Reports each extension that adds this part, because the addition would be a restriction. */
function isAdded(patch: Patch, text: string, pick: (access: MoreAccess) => unknown): boolean {
  const adding = patch.additions.filter(({ extension }) => pick(extension.access ?? {}) !== undefined)
  for (const { label } of adding) patch.report(label, text)
  return adding.length > 0
}

function mergedSee(patch: Patch, see: NonNullable<Access['see']>): NonNullable<Access['see']> {
  const roles = patch.joined({
    part: 'access.see.roles',
    own: see.roles,
    pick: ({ access }) => access?.see?.roles,
    name: String,
  })
  const conditions = patch.joined<Condition>({
    part: 'access.see.otherwise',
    own: [see.otherwise],
    pick: ({ access }) => (access?.see?.otherwise ? [access.see.otherwise] : []),
  })
  return { roles, otherwise: conditions.length === 1 ? see.otherwise : { anyOf: conditions } }
}
