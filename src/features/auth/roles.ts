export type RoleName = 'OWNER' | 'AGENCY' | 'VIEWER' | 'CAMPAIGN_MANAGER' | 'ADMIN'
export type AuthorityName = 'ACCOUNT_MANAGER' | 'AGENCY' | 'CAMPAIGN_MANAGER' | 'ADMIN'

/** Every authority, with its number on the wire and what it allows. */
export const authorities: Readonly<Record<AuthorityName, { id: number; description: string }>> = {
  ACCOUNT_MANAGER: { id: 1, description: 'Manages own merchants, campaigns and subscription.' },
  AGENCY: { id: 2, description: 'Works over the merchants of its clients, with branding.' },
  CAMPAIGN_MANAGER: { id: 3, description: 'Manages users and acts on their behalf.' },
  ADMIN: { id: 4, description: 'Administers the product.' },
}

/** Every role, with its number on the wire and the authorities it carries. */
export const roles: Readonly<Record<RoleName, { id: number; authorities: readonly AuthorityName[] }>> = {
  OWNER: { id: 1, authorities: ['ACCOUNT_MANAGER'] },
  AGENCY: { id: 2, authorities: ['ACCOUNT_MANAGER', 'AGENCY'] },
  VIEWER: { id: 3, authorities: [] },
  CAMPAIGN_MANAGER: { id: 4, authorities: ['CAMPAIGN_MANAGER', 'ACCOUNT_MANAGER'] },
  ADMIN: { id: 5, authorities: ['ADMIN', 'CAMPAIGN_MANAGER', 'ACCOUNT_MANAGER'] },
}

/** True for the name of a role. */
export const isRoleName = (name: string): name is RoleName => Object.hasOwn(roles, name)

/** What an account with these roles may do, each authority once. */
export function authoritiesOf(names: readonly RoleName[]): AuthorityName[] {
  return [...new Set(names.flatMap(name => roles[name].authorities))]
}

/** The role of someone who registers. */
export const roleAtRegistration = (accountType: 'VENDOR' | 'SELLER' | 'AGENCY'): RoleName =>
  accountType === 'AGENCY' ? 'AGENCY' : 'OWNER'
