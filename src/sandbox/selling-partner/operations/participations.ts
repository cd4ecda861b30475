import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Seller } from '../../core/model/store.ts'
import { ok, operation } from './operation.ts'
import { isoCountryOf, marketplaceNameOf } from './product-fields.ts'

// The United States' and the others' is en_US.
const languages = ['en_CA', 'es_MX', 'pt_BR', 'en_GB', 'de_DE', 'fr_FR', 'it_IT', 'es_ES', 'ja_JP', 'en_AU']

function participationsOf(seller: Seller): object[] {
  return seller.marketplaceIds.flatMap(id => {
    const marketplace = marketplaceByAmazonId(id)
    if (!marketplace) return []
    const countryCode = isoCountryOf(marketplace.key)
    return {
      marketplace: {
        id,
        name: marketplaceNameOf(id),
        countryCode,
        defaultCurrencyCode: marketplace.currency,
        defaultLanguageCode: languages.find(one => one.endsWith(`_${countryCode}`)) ?? 'en_US',
        domainName: `www.${marketplace.domain}`,
      },
      storeName: seller.name,
      participation: { isParticipating: true, hasSuspendedListings: false },
    }
  })
}

function businessOf({ name, sellerId, marketplaceIds }: Seller): object {
  const isLatin = /^[ -\u024f]*$/.test(name)
  return {
    name: isLatin ? name : sellerId,
    ...(!isLatin && { nonLatinName: name }),
    registeredBusinessAddress: {
      addressLine1: '1 Example Street',
      city: 'Exampleton',
      postalCode: '10000',
      countryCode: isoCountryOf(marketplaceByAmazonId(marketplaceIds[0] ?? '')?.key ?? 'US'),
    },
  }
}

export const participationOperations = [
  operation('getMarketplaceParticipations', 'GET /sellers/v1/marketplaceParticipations', 0.016, 15, ({ seller }) =>
    ok({ payload: participationsOf(seller) }),
  ),
  operation('getAccount', 'GET /sellers/v1/account', 0.016, 15, ({ seller }) =>
    ok({
      payload: {
        businessType: 'PRIVATE_LIMITED',
        sellingPlan: 'PROFESSIONAL',
        marketplaceParticipationList: participationsOf(seller),
        business: businessOf(seller),
      },
    }),
  ),
]
