/** The accounts whose records a call lists, and sees one by one (behaviour: Accounts). */
import type { Call } from '../../core/call.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { ANYTHING, type Criterion, isPlaceholder, type Placeholder, testsIn } from '../../schema/language/conditions.js'

/** Ids of accounts by call and record type. Those of sub-records are those of their owners. */
export interface AccountsReached {
  /** The account of the call; for people also its directory account. */
  own(call: Call, type: RecordType): readonly string[]
  /** The accounts of a list, which may be a list of records of other accounts: `directory`, `trusted`. */
  listed(call: Call, type: RecordType, list: Criterion): readonly string[]
  /** The accounts of records that the call sees one by one, which include the accounts of all lists of the type. */
  seen(call: Call, type: RecordType): readonly string[]
}

type Word = Placeholder['placeholder']

const NONE: ReadonlySet<Word> = new Set()

/** Looks once per type for lists of other accounts. */
export function createAccountsReached(catalog: Catalog): AccountsReached {
  const known = new WeakMap<RecordType, ReadonlySet<Word>>()
  const wordsOfLists = (type: RecordType): ReadonlySet<Word> => {
    const words = known.get(type) ?? accountWords({ any: [...type.lists.values()] })
    known.set(type, words)
    return words
  }
  const accounts = ({ account, trusted }: Call, { withDirectory }: RecordType, words: ReadonlySet<Word>) => {
    const { id, directoryAccountId: directory } = account
    const theirs = directory && (withDirectory || words.has('directory_account')) ? [directory] : []
    return [...new Set([id, ...theirs, ...(words.has('trusted_accounts') ? trusted : [])])]
  }
  const own: AccountsReached['own'] = (call, type) => accounts(call, type, NONE)
  const seen = (call: Call, type: RecordType, below: readonly RecordType[] = []): readonly string[] => {
    // The system acts in one account, whatever its lists show.
    const theirs = accounts(call, type, call.bypassesPermissions ? NONE : wordsOfLists(type))
    // Roles apply in the account of the call: they do not open audit lines and notes of records of another one.
    if (type.partOf.length > 0 && (type.access.use || type.access.see)) {
      return call.passed && type.access.see ? [...theirs, call.passed.accountId] : theirs
    }
    if (call.account.directoryAccountId === null && call.trusted.length === 0) return theirs
    const owners = type.partOf.map((name) => catalog.type(name)).filter((owner) => !below.includes(owner))
    return [...new Set([...theirs, ...owners.flatMap((owner) => seen(call, owner, [...below, type]))])]
  }
  return {
    own,
    listed: (call, type, list) => (list === ANYTHING ? own(call, type) : accounts(call, type, accountWords(list))),
    seen: (call, type) => seen(call, type),
  }
}

/** The placeholders for accounts that the criterion compares the account with. */
function accountWords(criterion: Criterion): ReadonlySet<Word> {
  const tests = testsIn(criterion).filter(({ op, path }) => op === 'in' && path.join() === 'account')
  return new Set(tests.flatMap(({ values }) => values.filter(isPlaceholder).map(({ placeholder }) => placeholder)))
}
