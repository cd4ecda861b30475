export { amazonProfilesOf } from './amazon-profiles-of.ts'
export { currentProfile, currentProfileIn, type Profile, profileById, profilesOf } from './current-profile.ts'
export { requireOwner } from './membership-rules.ts'
export { connectionLost, profilesConnected } from './signals.ts'
export { accountsOf } from './sql/memberships.ts'
export { useTrial } from './sql/merchants.ts'
export { currentMerchant, membersOf, type TenancyColumns, tenancyColumns } from './sql/tenancy.ts'
export { tenancyOf } from './tenancy-of.ts'
export {
  adsTokens,
  type ConnectionTokens,
  createConnectionTokens,
  sellingPartnerTokens,
} from './tokens/connection-tokens.ts'
