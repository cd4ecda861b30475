import type { z } from 'zod'
import { entriesBy } from '../../core/store/collections.ts'
import type { Campaign } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { type AdsFailure, gatewayFailure, invalidArgument } from '../ads-failure.ts'

/** A body as the schema reads it. Throws 400 naming the first field at fault. */
export function bodyOf<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const { data, error } = schema.safeParse(body)
  if (error) {
    const [issue] = error.issues
    throw invalidArgument(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is invalid'}`)
  }
  return data
}

const notFound = (what: string): AdsFailure => gatewayFailure(404, 'NOT_FOUND', `The ${what} was not found`)

/** The caller's Sponsored Products campaign of the address. Throws 404. */
export function campaignOf({ world, profile }: AdsCaller, campaignId = ''): Campaign {
  const campaign = world.store.campaigns.get(campaignId)
  if (campaign?.profileId !== profile.profileId) throw notFound('campaign')
  return campaign
}

/** The caller's rules of a collection, in order of creation. */
export const ownRules = <T>(collection: ReadonlyMap<string, T>, { profile }: AdsCaller): T[] => [
  ...entriesBy(collection, 'profileId', profile.profileId).values(),
]

/** The caller's rule of the address. Throws 404. */
export function ruleOf<T extends { profileId: number }>(
  collection: ReadonlyMap<string, T>,
  { profile }: AdsCaller,
  id = '',
): T {
  const rule = collection.get(id)
  if (rule?.profileId !== profile.profileId) throw notFound('rule')
  return rule
}

/** A page of a list; the token is the place of the next item. */
export function pageOf<T>(items: readonly T[], size: number, token: unknown): { page: T[]; nextToken?: string } {
  const start = typeof token === 'string' && /^\d+$/.test(token) ? Number(token) : 0
  const page = items.slice(start, start + size)
  return { page, ...(start + size < items.length && { nextToken: String(start + size) }) }
}
