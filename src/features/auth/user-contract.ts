import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id } from '#shared/query-schemas.ts'
import {
  accountType,
  emailAnswer,
  enteredPassword,
  fields,
  firstName,
  instant,
  lastName,
  maxBodyBytes,
  regionFields,
  secret,
} from './account-fields.ts'

export { accountType } from './account-fields.ts'

/** The formats that the settings offer; every other language tag works too. The texts are English in each. */
export const offeredFormats = [
  'en-US',
  'en-GB',
  'de-DE',
  'fr-FR',
  'es-ES',
  'it-IT',
  'nl-NL',
  'pl-PL',
  'sv-SE',
  'tr-TR',
  'ja-JP',
  'pt-BR',
  'hi-IN',
] as const

export const userChanges = fields({
  firstName: v.optional(firstName),
  lastName: v.optional(lastName),
  ...regionFields,
})
export type UserChanges = v.InferOutput<typeof userChanges>

const role = v.object({
  id: v.number(),
  name: v.string(),
  authorities: v.array(v.object({ id: v.number(), name: v.string(), description: v.string() })),
})

export const userSchema = v.object({
  id,
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  accountType,
  affiliateCode: v.optional(v.string()),
  locale: v.string(),
  timezone: v.string(),
  dateCreated: instant,
  dateUpdated: instant,
  roles: v.array(role),
  /** The accounts contract defines all fields; here only the ids. */
  amazonProfiles: v.array(v.looseObject({ id, amazonProfileId: v.number() })),
  currentMerchantId: v.optional(id),
  /** What the user is to that merchant: a viewer changes nothing of it. */
  currentMerchantRole: v.optional(v.picklist(['OWNER', 'VIEWER'])),
  currentMarketplace: v.optional(
    v.object({ id: v.number(), amazonId: v.string(), name: v.string(), key: v.string(), currency: v.string() }),
  ),
  stripeCustomerId: v.optional(v.string()),
  trialStartDate: v.optional(instant),
  trialEndDate: v.optional(instant),
  hasUsedTrial: v.optional(v.boolean()),
  /** The account is erased then, unless its user keeps it before. */
  erasedAt: v.optional(instant),
})
export type User = v.InferOutput<typeof userSchema>
export type AmazonProfileOfUser = User['amazonProfiles'][number]

/** A user as lists have it: without trial and payment provider. */
export const listUserSchema = v.omit(userSchema, ['stripeCustomerId', 'trialStartDate', 'trialEndDate', 'hasUsedTrial'])
export type ListUser = v.InferOutput<typeof listUserSchema>

const loginSession = v.object({
  id: v.string(),
  /** The browser and its system, such as "Chrome on Android"; null where it does not say. */
  device: v.nullable(v.string()),
  /** The one of this call. */
  isCurrent: v.boolean(),
  createdAt: instant,
  /** When it last renewed its tokens, which it does every quarter of an hour while it is used. */
  lastUsedAt: instant,
})
export type LoginSession = v.InferOutput<typeof loginSession>

export const shortUser = v.object({ firstName: v.string(), lastName: v.string(), email: v.string() })
export type ShortUser = v.InferOutput<typeof shortUser>

const userCall = { method: 'POST', access: 'account', authority: 'MEMBER', maxBodyBytes } as const

export const userEndpoints = {
  get: defineEndpoint({ method: 'GET', path: '/user', access: 'account', summary: 'The user', response: userSchema }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/user',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Change name, format or time zone of the user',
    maxBodyBytes,
    body: userChanges,
    response: userSchema,
  }),
  erase: defineEndpoint({
    method: 'DELETE',
    path: '/user',
    access: 'account',
    authority: 'MEMBER',
    managing: 'blocked',
    summary: 'Have the account erased in seven days; until then it can be kept',
    maxBodyBytes,
    status: 202,
    body: fields({ password: enteredPassword('Password is required') }),
    response: v.object({ erasedAt: instant }),
  }),
  keep: defineEndpoint({
    method: 'POST',
    path: '/user/keep',
    access: 'account',
    authority: 'MEMBER',
    managing: 'blocked',
    summary: 'Keep an account that is to be erased',
    status: 204,
    response: v.null(),
  }),
  /** Public: the token of the mail is the permission. */
  keepByToken: defineEndpoint({
    method: 'POST',
    path: '/auth/keep-account',
    access: 'public',
    maxBodyBytes,
    summary: 'Keep an account that is to be erased, with the token of the email',
    body: fields({ token: secret('The token of the email is required') }),
    response: emailAnswer,
    errors: ['TOKEN_INVALID'],
  }),
  sessions: defineEndpoint({
    method: 'GET',
    path: '/user/sessions',
    access: 'account',
    managing: 'blocked',
    summary: 'The log-ins of the user that have not ended, this one first',
    response: v.array(loginSession),
  }),
  endSession: defineEndpoint({
    method: 'DELETE',
    path: '/user/sessions/:id',
    access: 'account',
    authority: 'MEMBER',
    managing: 'blocked',
    summary: 'End one log-in of the user',
    params: v.object({ id: v.pipe(v.string(), v.uuid('Must be the id of a log-in')) }),
    status: 204,
    response: v.null(),
    errors: ['NOT_FOUND'],
  }),
  endSessions: defineEndpoint({
    ...userCall,
    managing: 'blocked',
    path: '/user/sessions/end',
    summary: 'End every log-in of the user, also this one unless it is kept',
    status: 204,
    body: fields({ keepThis: v.boolean() }),
    response: v.null(),
  }),
  short: defineEndpoint({
    method: 'GET',
    path: '/user/short',
    access: 'account',
    summary: 'Name and address of the user',
    response: shortUser,
  }),
}
