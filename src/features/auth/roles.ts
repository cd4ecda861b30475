/** Every authority, with its id in the API and what it allows. */
export const authorities = {
  ACCOUNT_MANAGER: { id: 1, description: 'Manages own merchants, campaigns and subscription.' },
  AGENCY: { id: 2, description: 'Works over the merchants of its clients, with branding.' },
  CAMPAIGN_MANAGER: { id: 3, description: 'Manages users and acts on their behalf.' },
  ADMIN: { id: 4, description: 'Administers the product.' },
}
type AuthorityName = keyof typeof authorities

/** Every role, with its id in the API and its authorities. */
export const roles = {
  OWNER: { id: 1, authorities: ['ACCOUNT_MANAGER'] },
  AGENCY: { id: 2, authorities: ['ACCOUNT_MANAGER', 'AGENCY'] },
  VIEWER: { id: 3, authorities: [] },
  CAMPAIGN_MANAGER: { id: 4, authorities: ['CAMPAIGN_MANAGER', 'ACCOUNT_MANAGER'] },
  ADMIN: { id: 5, authorities: ['ADMIN', 'CAMPAIGN_MANAGER', 'ACCOUNT_MANAGER'] },
} satisfies Record<string, { id: number; authorities: AuthorityName[] }>
export type RoleName = keyof typeof roles

export function authoritiesOf(names: readonly RoleName[]): AuthorityName[] {
  return [...new Set(names.flatMap((name): AuthorityName[] => roles[name].authorities))]
}
