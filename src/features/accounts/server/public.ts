export { chooseIfNone, getCurrentMarketplace, getCurrentMerchant } from './current-choice.ts'
export { listMerchants, requireOwner } from './merchants.ts'
export {
  adsOf,
  amazonProfilesByAccount,
  currentProfile,
  currentProfileIn,
  type Holdings,
  holdingsOf,
  type Profile,
  profileById,
  profilesOf,
  readAccount,
} from './profiles.ts'
export { connectionLost, profilesConnected } from './signals.ts'
export { eraseMerchant } from './purge-merchants.job.ts'
export {
  accountsOf,
  anyOf,
  connectionsOf,
  lostConnections,
  merchantNames,
  merchantsByIds,
  merchantsOfOnly,
  ownedMerchants,
  ownersOf,
  takeTrial,
} from './sql/merchants.ts'
export {
  currentMerchant,
  membersOf,
  type MerchantTrial,
  merchantTrial,
  roleIn,
  type TenancyColumns,
  tenancyColumns,
  tenancyOf,
  trialOf,
} from './sql/tenancy.ts'
export { createConnectionTokens } from './tokens.ts'
