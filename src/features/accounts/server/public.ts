export {
  currentProfile,
  currentProfileIn,
  type Profile,
  readAccount,
  profileById,
  profilesOf,
} from './current-profile.ts'
export { amazonProfilesOf, type Holdings, holdingsOf } from './holdings.ts'
export { requireOwner } from './membership-rules.ts'
export { connectionLost, profilesConnected } from './signals.ts'
export { accountsOf } from './sql/memberships.ts'
export { takeTrial } from './sql/merchants.ts'
export {
  currentMerchant,
  membersOf,
  type MerchantTrial,
  merchantTrial,
  type TenancyColumns,
  tenancyColumns,
  tenancyOf,
  trialOf,
} from './sql/tenancy.ts'
export {
  adsTokens,
  type ConnectionTokens,
  createConnectionTokens,
  sellingPartnerTokens,
} from './tokens/connection-tokens.ts'
