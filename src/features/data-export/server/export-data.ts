import { type RawBuilder, sql } from 'kysely'
import { merchantNames, ownedMerchants } from '#features/accounts/server/public.ts'
import { auditColumns, auditEntriesOf } from '#features/managing/server/public.ts'
import type { EntityName } from '#features/structure/contract.ts'
import { selectList, tableOf } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { FileAnswer } from '#shared/define-endpoint.ts'

const rowsPerRead = 1000

/** Rows `t` of one list; every list has an `id`, by which it is read in parts. */
interface Listed {
  columns: RawBuilder<unknown>
  /** From where, with its condition. */
  from: RawBuilder<unknown>
  /** What the rows are read in the order of; `t.id` by default. */
  key?: RawBuilder<unknown>
  /** Adds what other servers have of a part's rows. */
  complete?: (tx: Db, rows: readonly ListedRow[]) => Promise<ListedRow[]>
}
type ListedRow = { id: unknown }

const listOf = (columns: RawBuilder<unknown>, from: RawBuilder<unknown>, key?: RawBuilder<unknown>): Listed => ({
  columns,
  from,
  ...(key && { key }),
})

const entityLists: Record<string, EntityName> = {
  campaigns: 'campaign',
  adGroups: 'adGroup',
  ads: 'ad',
  targets: 'target',
  negatives: 'negative',
}

/** What is exported of a merchant that the user owns, by its name in the file. Tokens never leave the database. */
function listsOfMerchant(merchantId: number, accountId: number): Record<string, Listed> {
  const own = sql`t.merchant_id = ${merchantId}`
  return {
    connections: listOf(
      sql`t.id, t.kind, t.region, t.health, t.connected_at as "connectedAt", t.lost_at as "lostAt"`,
      sql`connection t where ${own}`,
    ),
    profiles: listOf(
      sql`t.id, t.amazon_profile_id as "amazonProfileId", t.account_name as "accountName", t.country_code as "countryCode",
        t.currency, t.timezone, t.is_managed as "isManaged", t.created_at as "createdAt"`,
      sql`ads_profile t where ${own}`,
    ),
    ...Object.fromEntries(
      Object.entries(entityLists).map(([name, entity]) => [
        name,
        listOf(
          sql`${selectList(entity, { merchantId })}, t.profile_id as "profileId"`,
          sql`${tableOf(entity)} t where ${own}`,
        ),
      ]),
    ),
    // Who else made a change is not the user's to take away.
    changes: listOf(
      sql`t.id, t.at, t.entity, t.entity_id as "entityId", t.campaign_id as "campaignId", t.profile_id as "profileId",
        t.field, t.before, t.after, t.origin, t.note, coalesce(t.account_id = ${accountId}, false) as "isByYou"`,
      sql`entity_change t where ${own}`,
    ),
    // Amounts as they are stored, in millionths of the account's currency.
    optimizerGroups: listOf(
      sql`t.id, t.profile_id as "profileId", t.name, t.state, t.settings, t.asks, t.taken_over_at as "takenOverAt",
        t.started_at as "startedAt", t.stopped_at as "stoppedAt", array(select c.campaign_id from optimizer_campaign c
          where c.merchant_id = ${merchantId} and c.group_id = t.id order by 1) as "campaignIds"`,
      sql`optimizer_group t where ${own}`,
    ),
    optimizerDecisions: listOf(
      sql`t.id, t.group_id as "groupId", t.at, t.kind, t.cause, t.entity, t.entity_id as "entityId",
        t.campaign_id as "campaignId", t.before, t.after, t.evidence, t.forecast, t.state, t.answer, t.reason, t.receipt`,
      sql`optimizer_decision t where ${own}`,
    ),
  }
}

function listsOfAccount(accountId: number): Record<string, Listed> {
  const own = sql`t.account_id = ${accountId}`
  return {
    account: listOf(
      sql`t.id, t.email, t.first_name as "firstName", t.last_name as "lastName", t.account_type as "accountType", t.locale,
        t.timezone, t.created_at as "createdAt", t.has_used_trial as "hasUsedTrial", t.trial_started_at as "trialStartedAt",
        t.trial_ends_at as "trialEndsAt", t.stripe_customer_id as "stripeCustomerId"`,
      sql`account t where t.id = ${accountId}`,
    ),
    subscription: listOf(
      sql`t.id, p.name as plan, t.status, t.period_started_at as "periodStartedAt", t.period_ends_at as "periodEndsAt",
        t.cancel_at_period_end as "cancelAtPeriodEnd", t.canceled_at as "canceledAt", t.past_due_since as "pastDueSince",
        t.created_at as "createdAt"`,
      sql`subscription t join plan p on p.id = t.plan_id where ${own}`,
    ),
    invoices: listOf(
      sql`t.id, t.number, t.status, t.kind, t.currency, t.total as "totalCents", t.amount_due as "amountDueCents",
        t.amount_paid as "amountPaidCents", t.period_start as "periodStart", t.period_end as "periodEnd",
        t.issued_at as "issuedAt", t.paid_at as "paidAt", t.lines`,
      sql`invoice t where ${own}`,
    ),
    affiliate: listOf(
      sql`t.account_id as id, t.code, t.created_at as "createdAt"`,
      sql`affiliate t where ${own}`,
      sql`t.account_id`,
    ),
    // Who registered with the code is somebody else: their address stays shortened.
    referrals: listOf(
      sql`t.referred_account_id as id, t.label, t.registered_at as "registeredAt", t.first_paid_at as "firstPaidAt"`,
      sql`affiliate_referral t where t.affiliate_account_id = ${accountId}`,
      sql`t.referred_account_id`,
    ),
    commissions: listOf(
      sql`t.invoice_id as id, t.currency, t.base_amount as "baseAmountCents", t.amount as "amountCents",
        t.invoice_paid_at as "invoicePaidAt", t.payable_at as "payableAt", t.paid_out_at as "paidOutAt",
        t.reversed_at as "reversedAt"`,
      sql`affiliate_commission t where t.affiliate_account_id = ${accountId}`,
      sql`t.invoice_id`,
    ),
    memberships: {
      ...listOf(
        sql`t.merchant_id as id, t.role, t.created_at as "since"`,
        sql`membership t where ${own} and t.ended_at is null`,
        sql`t.merchant_id`,
      ),
      complete: withMerchantNames,
    },
    ...listsOfPerson(accountId),
    ...listsOfTeam(accountId),
    managedCalls: listOf(sql`t.number as id, ${auditColumns}`, auditEntriesOf(accountId), sql`t.number`),
  }
}

async function withMerchantNames(tx: Db, rows: readonly ListedRow[]): Promise<ListedRow[]> {
  const ids = rows.map(row => row.id as number)
  const names = await merchantNames(tx, ids)
  return rows.map((row, i) => ({ name: names.get(ids[i] ?? null), ...row }))
}

/** What the user chose, said and made here, and when they logged in. */
function listsOfPerson(accountId: number): Record<string, Listed> {
  const own = sql`t.account_id = ${accountId}`
  return {
    notificationPreferences: listOf(
      sql`t.kind as id, t.in_app as "inApp", t.push, t.email, t.threshold, t.rings_in_quiet_hours as "ringsInQuietHours"`,
      sql`notification_preference t where ${own}`,
      sql`t.kind`,
    ),
    notificationRhythm: listOf(
      sql`t.account_id as id, t.quiet_from as "quietFrom", t.quiet_to as "quietTo", t.digest, t.digest_hour as "digestHour",
        t.digest_weekday as "digestWeekday"`,
      sql`notification_rhythm t where ${own}`,
      sql`t.account_id`,
    ),
    survey: listOf(
      sql`t.account_id as id, t.goal, t.experience, t.catalogue_size as "catalogueSize", t.shows_steps as "showsSteps",
        t.answered_at as "answeredAt"`,
      sql`onboarding_survey t where ${own}`,
      sql`t.account_id`,
    ),
    logins: listOf(
      sql`t.id, t.user_agent as device, t.created_at as "createdAt", t.last_used_at as "lastUsedAt", t.ended_at as "endedAt",
        t.end_reason as "endReason"`,
      sql`session t where ${own}`,
    ),
    brandingProfiles: listOf(
      sql`t.id, t.name, t.primary_color as "primaryColor", t.accent_color as "accentColor", t.footer,
        t.is_default as "isDefault", encode(t.logo, 'base64') as "logoPng", t.created_at as "createdAt"`,
      sql`branding_profile t where ${own}`,
    ),
    // Without the files, which the user can download one by one, and without what campaign managers requested for themselves.
    reports: listOf(
      sql`t.id, t.merchant_id as "merchantId", t.kind, t.format, t.date_from::text as "dateFrom", t.date_to::text as "dateTo",
        t.asins, t.status, t.file_name as "fileName", t.size_bytes as "sizeBytes", t.created_at as "createdAt"`,
      sql`performance_report t where ${own} and t.manager_id is null and t.deleted_at is null`,
    ),
    reportSchedules: listOf(
      sql`t.id, t.merchant_id as "merchantId", t.kind, t.format, t.asins, t.frequency, t.next_at as "nextAt", t.is_paused as "isPaused",
        t.created_at as "createdAt"`,
      sql`report_schedule t where ${own}`,
    ),
  }
}

/** Who has access to the merchants that the user owns, and whom the user invited. */
function listsOfTeam(accountId: number): Record<string, Listed> {
  const memberId = sql`t.merchant_id || '-' || t.account_id`
  return {
    members: listOf(
      sql`${memberId} as id, t.merchant_id as "merchantId", a.first_name as "firstName", a.last_name as "lastName", a.email,
        t.role, t.created_at as since`,
      sql`membership t join account a on a.id = t.account_id join membership o on o.merchant_id = t.merchant_id
        where t.ended_at is null and t.account_id <> ${accountId}
          and o.account_id = ${accountId} and o.role = 'OWNER' and o.ended_at is null`,
      memberId,
    ),
    invitations: listOf(
      sql`t.id, t.email, to_jsonb(t.merchant_ids) as "merchantIds", t.created_at as "createdAt", t.sent_at as "sentAt",
        t.expires_at as "expiresAt", t.outcome, t.settled_at as "settledAt"`,
      sql`invitation t where t.invited_by = ${accountId}`,
    ),
  }
}

type Read = <T>(run: (tx: Db) => Promise<T>) => Promise<T>

// Each part in a transaction of its own: a slow download blocks nobody.
async function* partsOf(read: Read, { columns, from, key = sql`t.id`, complete }: Listed): AsyncGenerator<object[]> {
  for (let after: unknown; ; ) {
    const next = after === undefined ? sql`` : sql`and ${key} > ${after}`
    const { rows } = await read(tx =>
      sql<ListedRow>`select ${columns} from ${from} ${next} order by ${key} limit ${rowsPerRead}`.execute(tx),
    )
    if (rows.length) yield complete ? await read(tx => complete(tx, rows)) : rows
    if (rows.length < rowsPerRead) return
    after = rows.at(-1)?.id
  }
}

/** The lists as members of a JSON object, a part at a time. */
async function* membersOf(read: Read, lists: Record<string, Listed>): AsyncGenerator<string> {
  for (const [name, list] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}: [`
    let separator = '\n'
    for await (const rows of partsOf(read, list)) {
      yield separator + rows.map(row => JSON.stringify(row)).join(',\n')
      separator = ',\n'
    }
    yield ']'
  }
}

async function* contentOf({ db, actor, clock }: Ctx): AsyncGenerator<string> {
  const { accountId } = actor
  yield `{"exportedAt": ${JSON.stringify(clock.now())}`
  yield* membersOf(run => run(db.system), listsOfAccount(accountId))
  yield ',\n"merchants": ['
  let separator = '\n'
  for (const merchantId of await ownedMerchants(db.system, accountId)) {
    const read: Read = run => db.reading(merchantId, run)
    const merchant = await read(tx =>
      tx
        .selectFrom('merchant')
        .select(['merchant_id as id', 'name', 'account_type as accountType', 'region', 'created_at as createdAt'])
        .select('selling_partner_id as sellingPartnerId')
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst(),
    )
    // Left while the file was made.
    if (!merchant) continue
    yield separator + JSON.stringify(merchant).slice(0, -1)
    yield* membersOf(read, listsOfMerchant(merchantId, accountId))
    yield '}'
    separator = ',\n'
  }
  yield ']}\n'
}

/**
 * What the user owns, as a JSON file that is made while it is sent, a thousand rows at a time: the account, its subscription,
 * invoices with their lines, referrals, commissions and memberships, how it is notified, its answers, log-ins, branding profiles,
 * reports, members and invitations, and of each merchant that the user owns the connections, advertising accounts, campaigns with all
 * below them, the history of changes, and what the optimizer was set to and decided. Of a merchant that the user may only see it has the name alone.
 */
export function exportData(ctx: Ctx): FileAnswer {
  const encoder = new TextEncoder()
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const text of contentOf(ctx)) yield encoder.encode(text)
  }
  const day = ctx.clock.now().toISOString().slice(0, 10)
  return { name: `tideline-data-${day}.json`, mediaType: 'application/json', content: content() }
}
