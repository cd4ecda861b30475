/** What a role of a user allows, whichever merchant is the current one. */
export type Authority = 'ACCOUNT_MANAGER' | 'AGENCY' | 'CAMPAIGN_MANAGER' | 'ADMIN'

/** What a user is to a merchant: a viewer changes nothing of it. */
export type MerchantRole = 'OWNER' | 'VIEWER'

/**
 * What a call or a page needs of a user who is logged in. `MEMBER`: nothing more. `MERCHANT_MANAGER`: the user manages
 * accounts and does not merely view the current merchant.
 */
export type NeededAuthority = 'MEMBER' | 'MERCHANT_MANAGER' | Authority

/** A user, as far as authorities are concerned. */
export interface Holder {
  authorities: readonly Authority[]
  /** What the user is to the current merchant; null before one is chosen. */
  merchantRole: MerchantRole | null
}

/** Whether a user has what is needed. Without a current merchant a manager does, so that the verb can ask for one. */
export function holds({ authorities, merchantRole }: Holder, needed: NeededAuthority): boolean {
  if (needed === 'MEMBER') return true
  if (needed === 'MERCHANT_MANAGER') return authorities.includes('ACCOUNT_MANAGER') && merchantRole !== 'VIEWER'
  return authorities.includes(needed)
}
