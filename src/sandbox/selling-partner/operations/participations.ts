import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Seller } from '../../core/model/store.ts'
import { ok, type Operation, operation } from './operation.ts'
import { isoCountryOf, marketplaceNameOf } from './product-fields.ts'

const languages: Record<string, string> = {
  US: 'en_US',
  CA: 'en_CA',
  MX: 'es_MX',
  BR: 'pt_BR',
  UK: 'en_GB',
  DE: 'de_DE',
  FR: 'fr_FR',
  IT: 'it_IT',
  ES: 'es_ES',
  JP: 'ja_JP',
  AU: 'en_AU',
}

function participationsOf(seller: Seller): object[] {
  return seller.marketplaceIds.flatMap(id => {
    const marketplace = marketplaceByAmazonId(id)
    if (!marketplace) return []
    return [
      {
        marketplace: {
          id,
          name: marketplaceNameOf(id),
          countryCode: isoCountryOf(marketplace.key),
          defaultCurrencyCode: marketplace.currency,
          defaultLanguageCode: languages[marketplace.key] ?? 'en_US',
          domainName: `www.${marketplace.domain}`,
        },
        storeName: seller.name,
        participation: { isParticipating: true, hasSuspendedListings: false },
      },
    ]
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

/** Who sells, and where. */
export const participationOperations: Operation[] = [
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
