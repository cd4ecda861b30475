import { type AdsCaller, ownProducts } from '../ads-caller.ts'
import { AdsFailure } from '../ads-failure.ts'
import { isAbsent, isObject, type Item } from '../entities/read-fields.ts'

/** An error of the recommendation calls: a code and `details`. */
export const adviceFailure = (status: number, details: string): AdsFailure =>
  new AdsFailure(status, { code: String(status), details })

/** A list of texts, at most so many. Throws 400 otherwise. */
export function readTexts(value: unknown, name: string, most: number): string[] {
  if (!Array.isArray(value) || value.some(one => typeof one !== 'string'))
    throw adviceFailure(400, `${name} must be a list of strings`)
  if (value.length === 0 || value.length > most) throw adviceFailure(400, `${name} must have 1 to ${most} items`)
  return value as string[]
}

/** A list of objects, at most so many; an absent one is empty. Throws 400 otherwise. */
export function readObjects(value: unknown, name: string, most: number): Item[] {
  if (isAbsent(value)) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw adviceFailure(400, `${name} must be a list of objects`)
  if (value.length > most) throw adviceFailure(400, `${name} must have at most ${most} items`)
  return value
}

/** Targeting expressions of a type and, where they have one, a text. Throws 400 otherwise. */
export function readParts(value: unknown, name: string, most: number): { type: string; value?: string }[] {
  return readObjects(value, name, most).map(({ type, value: text }) => {
    if (typeof type !== 'string') throw adviceFailure(400, `${name} need a type`)
    if (!isAbsent(text) && typeof text !== 'string') throw adviceFailure(400, `The value of ${type} must be a string`)
    return { type, ...(typeof text === 'string' && { value: text }) }
  })
}

/** ASINs of a request's list that the caller sells. Throws 422 when there is none: there is no advice for other sellers' products. */
export function ownAsins({ world, profile }: AdsCaller, asins: readonly string[]): string[] {
  const own = new Set(ownProducts(world.store, profile).map(product => product.asin))
  const sold = asins.filter(asin => own.has(asin))
  if (sold.length === 0) throw adviceFailure(422, 'No recommendation is available for these products')
  return sold
}

/**
 * The products that advice is for: those named, or those of an ad group. Throws 400 when it is not the caller's, 422
 * when it advertises nothing.
 */
export function subjectOf(
  caller: AdsCaller,
  { recommendationType, asins, campaignId, adGroupId }: Item,
  [ofProducts, ofAdGroup]: readonly [string, string],
): string[] {
  const { world, profile } = caller
  if (recommendationType === ofProducts) return ownAsins(caller, readTexts(asins, 'asins', 50))
  if (recommendationType !== ofAdGroup)
    throw adviceFailure(400, `recommendationType must be ${ofProducts} or ${ofAdGroup}`)
  const adGroup = world.store.adGroups.get(String(adGroupId))
  if (adGroup?.profileId !== profile.profileId || adGroup.campaignId !== String(campaignId))
    throw adviceFailure(400, 'The campaign or ad group was not found')
  const advertised = [...world.store.productAds.values()]
    .filter(ad => ad.adGroupId === adGroup.adGroupId && ad.state !== 'ARCHIVED')
    .map(ad => ad.asin)
  if (advertised.length === 0) throw adviceFailure(422, 'The ad group has no product ads')
  return [...new Set(advertised)]
}
