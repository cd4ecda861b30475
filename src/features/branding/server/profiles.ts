import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { type BrandingProfile, type brandingEndpoints, maxProfiles } from '../contract.ts'
import { ownColors } from '../rules.ts'
import { cleanLogo } from './clean-logo.ts'

type Content = EndpointParsed<typeof brandingEndpoints.create>['body']

const columns = ['id', 'name', 'primary_color', 'accent_color', 'footer', 'is_default', 'logo_file'] as const
type Shown = Pick<Row<'branding_profile'>, (typeof columns)[number]>

const present = ({ primary_color, accent_color, is_default, logo_file, ...row }: Shown): BrandingProfile => ({
  ...row,
  primaryColor: primary_color,
  accentColor: accent_color,
  isDefault: is_default,
  logoUrl: logo_file && `/branding-profiles/logos/${row.id}/${logo_file}`,
})
const rowOf = ({ name, primaryColor, accentColor, footer }: Content) => ({
  name,
  primary_color: primaryColor,
  accent_color: accentColor,
  footer,
})

const missing = () => new AppError('NOT_FOUND', 'There is no such branding profile.')

/** The account's profiles by name. */
export async function listProfiles(ctx: Ctx): Promise<{ content: BrandingProfile[] }> {
  const rows = await ofAccount(ctx.db.system, ctx.actor.accountId).orderBy(sql`lower(name)`).execute()
  return { content: rows.map(present) }
}

const ofAccount = (tx: Db, accountId: number) =>
  tx.selectFrom('branding_profile').select(columns).where('account_id', '=', accountId)

/** Adds a profile; the first of an account becomes its default. Throws CONFLICT where the name is taken. */
export function createProfile(ctx: Ctx, content: Content): Promise<BrandingProfile> {
  const accountId = ctx.actor.accountId
  return ctx.db.transaction(async tx => {
    // One after another, so that the count holds and only one is the first.
    await sql`select 1 from account where id = ${accountId} for update`.execute(tx)
    const existing = await ofAccount(tx, accountId).execute()
    if (existing.length >= maxProfiles)
      throw new AppError('RULE_VIOLATED', `You can have at most ${maxProfiles} branding profiles. Delete one first.`)
    const isDefault = existing.length === 0
    const row = await tx
      .insertInto('branding_profile')
      .values({ account_id: accountId, ...rowOf(content), is_default: isDefault, created_at: ctx.clock.now() })
      .onConflict(conflict => conflict.doNothing())
      .returning(columns)
      .executeTakeFirst()
    if (!row) throw nameTaken(content.name)
    const answer = present(row)
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

const nameTaken = (name: string) => new AppError('CONFLICT', `You have a profile named “${name}” already.`)

/** Changes a profile. Throws NOT_FOUND where the account has none of this id, CONFLICT where the name is taken. */
export function updateProfile(ctx: Ctx, id: number, content: Content): Promise<BrandingProfile> {
  const accountId = ctx.actor.accountId
  return ctx.db.transaction(async tx => {
    const others = ofAccount(tx, accountId).where('id', '<>', id)
    if (await others.where(sql`lower(name)`, '=', content.name.toLowerCase()).executeTakeFirst())
      throw nameTaken(content.name)
    return change(tx, accountId, id, rowOf(content))
  })
}

async function change(tx: Db, accountId: number, id: number, values: Partial<Row<'branding_profile'>>) {
  const row = await tx
    .updateTable('branding_profile')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  if (!row) throw missing()
  return present(row)
}

/** Deletes a profile with its logo. */
export async function deleteProfile(ctx: Ctx, id: number): Promise<null> {
  const { numDeletedRows } = await ctx.db.system
    .deleteFrom('branding_profile')
    .where('account_id', '=', ctx.actor.accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw missing()
  return null
}

/** The profile that new reports have; null without one. */
export async function getDefault(ctx: Ctx): Promise<{ profile: BrandingProfile | null }> {
  const row = await ofAccount(ctx.db.system, ctx.actor.accountId).where('is_default', '=', true).executeTakeFirst()
  return { profile: row ? present(row) : null }
}

/** Makes a profile the default, or none. */
export function setDefault(ctx: Ctx, id: number | null): Promise<{ profile: BrandingProfile | null }> {
  const accountId = ctx.actor.accountId
  return ctx.db.transaction(async tx => {
    await sql`select 1 from account where id = ${accountId} for update`.execute(tx)
    await tx
      .updateTable('branding_profile')
      .set({ is_default: false })
      .where('account_id', '=', accountId)
      .where('is_default', '=', true)
      .execute()
    return { profile: id === null ? null : await change(tx, accountId, id, { is_default: true }) }
  })
}

/** Gives a profile a logo in place of the one it has. Throws NOT_FOUND before it looks at the file. */
export async function uploadLogo(ctx: Ctx, id: number, upload: Uint8Array): Promise<BrandingProfile> {
  const accountId = ctx.actor.accountId
  if (!(await ofAccount(ctx.db.system, accountId).where('id', '=', id).executeTakeFirst())) throw missing()
  const logo = await cleanLogo(upload)
  const file = `${randomBytes(16).toString('base64url')}.png`
  return change(ctx.db.system, accountId, id, { logo, logo_file: file })
}

/** How a report looks. */
export interface Look {
  /** Whose report it is; null for Tideline's own look. */
  name: string | null
  primaryColor: string
  accentColor: string
  footer: string
  /** A PNG of at most 512 pixels on a side. */
  logo: Uint8Array | null
}

/** The look of an account's profile, of none by null. A profile that was deleted meanwhile is none. */
export async function lookOf(db: Db, accountId: number, id: number | null): Promise<Look> {
  const row =
    id === null ? undefined : await ofAccount(db, accountId).select('logo').where('id', '=', id).executeTakeFirst()
  if (!row) return { name: null, ...ownColors, footer: '', logo: null }
  const { name, footer, logo } = row
  return { name, primaryColor: row.primary_color, accentColor: row.accent_color, footer, logo }
}

/**
 * The profile that a new report has: the requested one, the account's default where none was named, null where none is
 * wanted or there is no default. Throws NOT_FOUND for one that is not the account's.
 */
export async function profileForReport(
  db: Db,
  accountId: number,
  id: number | null | undefined,
): Promise<number | null> {
  if (id === null) return null
  const own = ofAccount(db, accountId)
  const row = await (id === undefined
    ? own.where('is_default', '=', true)
    : own.where('id', '=', id)
  ).executeTakeFirst()
  if (!row && id !== undefined) throw missing()
  return row?.id ?? null
}

/** The bytes of a logo. */
export async function getLogo(ctx: Ctx, profileId: number, file: string): Promise<FileAnswer> {
  const row = await ctx.db.system
    .selectFrom('branding_profile')
    .select('logo')
    .where('account_id', '=', ctx.actor.accountId)
    .where('id', '=', profileId)
    .where('logo_file', '=', file)
    .executeTakeFirst()
  const logo = row?.logo
  if (!logo) throw new AppError('NOT_FOUND', 'There is no such logo.')
  async function* content(): AsyncGenerator<Uint8Array> {
    yield logo as Uint8Array
  }
  return { name: 'logo.png', mediaType: 'image/png', content: content() }
}
