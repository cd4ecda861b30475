import { marketplaceByKey } from '#shared/marketplaces.ts'

export interface ConsentRequest {
  /** The marketplace whose seller pages the person signs in to. */
  marketplaceKey: string
  state: string
  redirectUri?: string
}

/**
 * The address of the consent page. Throws RangeError where the marketplace has no known seller pages (Ireland).
 * A draft application needs `version=beta`, or the page answers MD1000.
 */
export const buildConsentUrl = (
  { marketplaceKey, state, redirectUri }: ConsentRequest,
  app: { applicationId: string; draft: boolean; sellerCentralUrl?: string | undefined },
): string => {
  const base = app.sellerCentralUrl ?? marketplaceByKey(marketplaceKey)?.sellerCentralUrl
  if (!base) throw new RangeError(`no seller pages are known for ${marketplaceKey}`)
  const url = new URL(`${base.replace(/\/$/, '')}/apps/authorize/consent`)
  url.searchParams.set('application_id', app.applicationId)
  url.searchParams.set('state', state)
  if (redirectUri) url.searchParams.set('redirect_uri', redirectUri)
  if (app.draft) url.searchParams.set('version', 'beta')
  return url.href
}
