export type RoleName = 'OWNER' | 'AGENCY' | 'VIEWER' | 'CAMPAIGN_MANAGER' | 'ADMIN'
export type AuthorityName = 'ACCOUNT_MANAGER' | 'AGENCY' | 'CAMPAIGN_MANAGER' | 'ADMIN'

/** Every authority, with its id in the API and what it allows. */
export const authorities: Readonly<Record<AuthorityName, { id: number; description: string }>> = {
  ACCOUNT_MANAGER: { id: 1, description: 'Manages own merchants, campaigns and subscription.' },
  AGENCY: { id: 2, description: 'Works over the merchants of its clients, with branding.' },
  CAMPAIGN_MANAGER: { id: 3, description: 'Manages users and acts on their behalf.' },
  ADMIN: { id: 4, description: 'Administers the product.' },
}

/** Every role, with its id in the API and its authorities. */
export const roles: Readonly<Record<RoleName, { id: number; authorities: readonly AuthorityName[] }>> = {
  OWNER: { id: 1, authorities: ['ACCOUNT_MANAGER'] },
  AGENCY: { id: 2, authorities: ['ACCOUNT_MANAGER', 'AGENCY'] },
  VIEWER: { id: 3, authorities: [] },
  CAMPAIGN_MANAGER: { id: 4, authorities: ['CAMPAIGN_MANAGER', 'ACCOUNT_MANAGER'] },
  ADMIN: { id: 5, authorities: ['ADMIN', 'CAMPAIGN_MANAGER', 'ACCOUNT_MANAGER'] },
}

/** True for the name of a role. */
export const isRoleName = (name: string): name is RoleName => Object.hasOwn(roles, name)

/** The authorities of these roles, each once. */
export function authoritiesOf(names: readonly RoleName[]): AuthorityName[] {
  return [...new Set(names.flatMap(name => roles[name].authorities))]
}

/** The first role of a new account. */
export const roleAtRegistration = (accountType: 'VENDOR' | 'SELLER' | 'AGENCY'): RoleName =>
  accountType === 'AGENCY' ? 'AGENCY' : 'OWNER'
