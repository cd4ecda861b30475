import { type Route, route } from '#server/http/route.ts'
import { connectEndpoints as connect } from '../connect-contract.ts'
import { profileEndpoints as profile } from '../contract.ts'
import {
  chooseMarketplace,
  getCurrentMarketplace,
  listMarketplaces,
  listMarketplacesOf,
} from './choice/current-marketplace.ts'
import { chooseMerchant, getCurrentMerchant } from './choice/current-merchant.ts'
import { selectProfile } from './choice/select-profile.ts'
import { connectProfiles } from './connect-profiles.ts'
import { beginConsent, beginReconnect } from './consent/begin-consent.ts'
import { completeAdsConsent } from './consent/complete-ads-consent.ts'
import { completeConsent } from './consent/complete-consent.ts'
import { completeSellerConsent } from './consent/complete-seller-consent.ts'
import { listRegions } from './list-regions.ts'
import { disconnectMerchant } from './merchants/disconnect-merchant.ts'
import { getMerchant } from './merchants/get-merchant.ts'
import { listMerchants, listMerchantsInfo } from './merchants/list-merchants.ts'

// A state has 256 bits; this only spares the marketplace from our users' scripts.
const rateLimit = { max: 30, windowSeconds: 60 }

export const accountsRoutes: Route[] = [
  route(profile.regions, () => listRegions()),
  route(connect.adsLogin, (ctx, { query }) => beginConsent(ctx, 'AMAZON_ADS', query), { rateLimit }),
  route(connect.sellerLogin, (ctx, { query }) => beginConsent(ctx, 'SELLING_PARTNER', query), { rateLimit }),
  route(connect.reconnect, (ctx, { params }) => beginReconnect(ctx, params.id), { rateLimit }),
  route(
    connect.adsCallback,
    (ctx, { body }) => completeAdsConsent(ctx, { state: body.state, code: body.code, error: body.error }),
    { rateLimit },
  ),
  route(
    connect.sellerCallback,
    (ctx, { body }) =>
      completeSellerConsent(ctx, {
        state: body.state,
        code: body.spapi_oauth_code,
        error: body.error,
        sellingPartnerId: body.selling_partner_id,
      }),
    { rateLimit },
  ),
  route(connect.anyCallback, (ctx, { body }) => completeConsent(ctx, body), { rateLimit }),
  route(connect.connectProfiles, (ctx, { body }) => connectProfiles(ctx, body)),
  route(connect.selectProfile, (ctx, { body }) => selectProfile(ctx, body.amazonProfileId)),
  route(profile.merchants, ctx => listMerchants(ctx)),
  route(profile.merchant, (ctx, { params }) => getMerchant(ctx, params.id)),
  route(profile.disconnectMerchant, (ctx, { params }) => disconnectMerchant(ctx, params.id)),
  route(profile.marketplacesOfMerchant, (ctx, { params }) => listMarketplacesOf(ctx, params.id)),
  route(profile.marketplaces, ctx => listMarketplaces(ctx)),
  route(profile.merchantsInfo, (ctx, { query }) => listMerchantsInfo(ctx, query.provider)),
  route(profile.currentMerchant, ctx => getCurrentMerchant(ctx)),
  route(profile.chooseMerchant, (ctx, { query }) => chooseMerchant(ctx, query.merchantId)),
  route(profile.currentMarketplace, ctx => getCurrentMarketplace(ctx)),
  route(profile.chooseMarketplace, (ctx, { query }) => chooseMarketplace(ctx, query.marketplaceId)),
]
