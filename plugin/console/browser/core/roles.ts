/** Roles that administer an account. */
export const ADMINISTRATORS: readonly string[] = ['account_administrator', 'account_owner']
/** Roles that see the roles of other people. */
export const ROLE_READERS: readonly string[] = [...ADMINISTRATORS, 'auditor']
