import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Seller } from '../../core/model/store.ts'
import { ok, type Operation } from './operation.ts'

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
// Unlike the Ads API, this one writes the United Kingdom as ISO does.
const isoCountry = (key: string): string => (key === 'UK' ? 'GB' : key)

function participationsOf(seller: Seller): object[] {
  return seller.marketplaceIds.flatMap(id => {
    const facts = marketplaceByAmazonId(id)
    if (!facts) return []
    return [
      {
        marketplace: {
          id,
          name: `${facts.domain.charAt(0).toUpperCase()}${facts.domain.slice(1)}`,
          countryCode: isoCountry(facts.key),
          defaultCurrencyCode: facts.currency,
          defaultLanguageCode: languages[facts.key] ?? 'en_US',
          domainName: `www.${facts.domain}`,
        },
        storeName: seller.name,
        participation: { isParticipating: true, hasSuspendedListings: false },
      },
    ]
  })
}

function businessOf(seller: Seller): object {
  const home = marketplaceByAmazonId(seller.marketplaceIds[0] ?? '')
  const latin = /^[ -\u024f]*$/.test(seller.name)
  return {
    name: latin ? seller.name : seller.sellerId,
    ...(!latin && { nonLatinName: seller.name }),
    registeredBusinessAddress: {
      addressLine1: '1 Example Street',
      city: 'Exampleton',
      postalCode: '10000',
      countryCode: isoCountry(home?.key ?? 'US'),
    },
  }
}

const rate = 0.016
const burst = 15

/** Who sells, and where. */
export const participationOperations: Operation[] = [
  {
    id: 'getMarketplaceParticipations',
    method: 'GET',
    url: '/sellers/v1/marketplaceParticipations',
    rate,
    burst,
    answer: ({ seller }) => ok({ payload: participationsOf(seller) }),
  },
  {
    id: 'getAccount',
    method: 'GET',
    url: '/sellers/v1/account',
    rate,
    burst,
    answer: ({ seller }) =>
      ok({
        payload: {
          businessType: 'PRIVATE_LIMITED',
          sellingPlan: 'PROFESSIONAL',
          marketplaceParticipationList: participationsOf(seller),
          business: businessOf(seller),
        },
      }),
  },
]
