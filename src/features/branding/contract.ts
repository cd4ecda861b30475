import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, queryId } from '#shared/query-schemas.ts'
import { ownColors } from './rules.ts'

export { textOn, textOnPaper } from './rules.ts'

export const maxProfiles = 20
export const maxLogoBytes = 2 * 2 ** 20

const line = (label: string, max: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(max, `${label} must have at most ${max} characters`))
const color = v.pipe(
  v.string(),
  v.regex(/^#[0-9a-f]{6}$/i, 'Must be a color such as #0b5d6b'),
  v.transform(text => text.toLowerCase()),
)

/** What a person writes of a profile. */
export const newProfile = v.strictObject({
  name: v.pipe(line('Name', 60), v.minLength(1, 'Name is required')),
  /** Of the cover and the headings. */
  primaryColor: v.optional(color, ownColors.primaryColor),
  /** Of the second line in charts, and of bars. */
  accentColor: v.optional(color, ownColors.accentColor),
  /** At the foot of every page. */
  footer: v.optional(line('Footer', 160), ''),
})

const profile = v.object({
  id,
  name: v.string(),
  primaryColor: v.string(),
  accentColor: v.string(),
  footer: v.string(),
  isDefault: v.boolean(),
  /** The path of the logo below /api; null without one. */
  logoUrl: v.nullable(v.string()),
})
export type BrandingProfile = v.InferOutput<typeof profile>

const path = '/branding-profiles'
const one = { params: v.object({ id: queryId }), access: 'subscription', authority: 'AGENCY' } as const
const common = { access: 'subscription', authority: 'AGENCY', errors: ['FORBIDDEN'] } as const

/** The looks of an agency's reports. They belong to its account: another's are not found. */
export const brandingEndpoints = {
  list: defineEndpoint({
    ...common,
    method: 'GET',
    path,
    summary: 'The branding profiles of the account, by name',
    response: v.object({ content: v.array(profile) }),
  }),
  create: defineEndpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Add a branding profile; the first becomes the default',
    body: newProfile,
    response: profile,
    status: 201,
    idempotencyKey: 'optional',
    errors: ['CONFLICT', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  default: defineEndpoint({
    ...common,
    method: 'GET',
    path: `${path}/default`,
    summary: 'The profile that new reports have; null without one',
    response: v.object({ profile: v.nullable(profile) }),
  }),
  setDefault: defineEndpoint({
    ...common,
    method: 'PUT',
    path: `${path}/default`,
    summary: 'Choose the profile that new reports have, or none',
    body: v.strictObject({ id: v.nullable(id) }),
    response: v.object({ profile: v.nullable(profile) }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  update: defineEndpoint({
    ...one,
    method: 'PUT',
    path: `${path}/:id`,
    summary: 'Change a branding profile; reports that were made keep their look',
    body: newProfile,
    response: profile,
    errors: ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  remove: defineEndpoint({
    ...one,
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Delete a branding profile with its logo; reports that were made keep their look',
    response: v.null(),
    status: 204,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  uploadLogo: defineEndpoint({
    ...one,
    method: 'POST',
    path: `${path}/:id/logo`,
    summary: 'Upload a logo: PNG, JPEG or WebP of at most 2 MB and 4,096 pixels on a side; it is encoded again',
    upload: { field: 'file', maxBytes: maxLogoBytes },
    response: profile,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RULE_VIOLATED'],
  }),
  logo: defineEndpoint({
    ...common,
    method: 'GET',
    path: `${path}/logos/:profileId/:file`,
    summary: 'The logo of a profile',
    params: v.object({
      profileId: queryId,
      file: v.pipe(v.string(), v.regex(/^[\w-]{22}\.png$/, 'Must be the name of a logo')),
    }),
    response: v.unknown(),
    file: ['image/png'],
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
}
