/** Roles that administer an account. */
export const ADMINISTRATORS: readonly string[] = ['account_administrator', 'account_owner']
