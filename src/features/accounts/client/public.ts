export { MerchantSwitcher } from './shop/merchant-switcher.tsx'
export { chooseShop } from './mutations.ts'
export { accountQueries } from './queries.ts'
export { type Shop, shopText, useCurrentMarketplace, useMayChange, useRoleIn, useShop, knownShop } from './shop/shop.ts'
