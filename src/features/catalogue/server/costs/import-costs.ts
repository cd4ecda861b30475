import { sql } from 'kysely'
import { currentProfile, type Profile, readAccount } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { fileColumn, fileName, tableFile } from '#server/http/table-file.ts'
import type { EndpointOutput, EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import { beginning } from '../../contract.ts'
import {
  type CostFault,
  type costImportEndpoints as endpoints,
  type CostPreview,
  type DecimalMark,
} from '../../cost-import-contract.ts'
import { type CostRow, joinCost, readCosts, saveCosts } from './cost-rows.ts'
import { amountOf, type CostLine, dayOf, decimalMarkOf, linesOf, textOf } from './read-cost-file.ts'

type ImportBody = EndpointParsed<(typeof endpoints)['importCosts']>['body']

const shownChanges = 100
const shownFaults = 200

/** A cost that an import sets. */
interface CostChange extends CostRow {
  line: number
  title: string | null
  /** What it replaces; null where no cost began on that day. */
  beforeMicros: Micros | null
  /** What held on that day until now; null where none did. */
  heldMicros: Micros | null
}

/**
 * Reads a file of costs: what is wrong with which line, and what would change. Applies the changes in one transaction when
 * asked: all, which a fault forbids, or those of the valid lines.
 */
export async function importCosts(ctx: Ctx, body: ImportBody): Promise<CostPreview> {
  const profile = await currentProfile(ctx)
  const read = linesOf(textOf(Buffer.from(body.content, 'base64')))
  const today = dayIn(ctx.clock.now(), profile.timezone)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const lines = 'lines' in read ? read.lines : []
    const amounts = lines.map(line => line.cogs)
    const decimal = body.decimal ?? decimalMarkOf(amounts, profile.currency)
    const checked = decimal === null ? noChanges : await checkLines(tx, profile, lines, { decimal, today })
    const faults = 'fault' in read ? [read.fault] : checked.faults
    const { changes } = checked
    const importId = await applyChanges(tx, ctx, profile, { ...body, changes, decimal, faults: faults.length })
    return {
      currency: profile.currency,
      lines: lines.length,
      decimal,
      ambiguous: decimal === null ? (amounts.find(text => /[.,]/.test(text)) ?? null) : null,
      changes: changes.slice(0, shownChanges).map(({ line, sku, title, validFrom, heldMicros, cogsMicros }) => ({
        line,
        sku,
        title,
        validFrom,
        before: heldMicros === null ? null : fromMicros(heldMicros),
        after: fromMicros(cogsMicros),
      })),
      changesTotal: changes.length,
      unchanged: checked.unchanged,
      faults: faults.slice(0, shownFaults),
      faultsTotal: faults.length,
      importId,
    }
  })
}

interface Checked {
  changes: CostChange[]
  faults: CostFault[]
  unchanged: number
}
const noChanges: Checked = { changes: [], faults: [], unchanged: 0 }

interface Listed {
  sku: string
  title: string | null
  currency: string | null
}

async function checkLines(
  tx: Db,
  profile: Profile,
  lines: readonly CostLine[],
  { decimal, today }: { decimal: DecimalMark; today: string },
): Promise<Checked> {
  const skus = [...new Set(lines.map(line => line.sku))]
  const { merchantId, marketplaceId } = profile
  const found = await sql<Listed>`select sku, title, currency from product
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and sku = any(${skus}::text[])`.execute(tx)
  const products = new Map(found.rows.map(row => [row.sku, row]))
  const costs = Map.groupBy(await readCosts(tx, profile, skus), cost => cost.sku)
  const faults: CostFault[] = []
  const valid: CostChange[] = []
  for (const line of lines) {
    const product = products.get(line.sku)
    const currency = product?.currency ?? profile.currency
    const own = costs.get(line.sku) ?? []
    const amount = amountOf(line.cogs, decimal, currency)
    const day = dayOf(line.validFrom)
    const problems = [
      !product && fault(line, 'sku', line.sku, skuProblem(line.sku)),
      line.currency !== '' &&
        line.currency.toUpperCase() !== currency &&
        fault(line, 'currency', line.currency, `The costs of this marketplace are in ${currency}.`),
      'problem' in amount && fault(line, 'cogs', line.cogs, amount.problem),
      'problem' in day && fault(line, 'valid_from', line.validFrom, day.problem),
    ].filter(problem => problem !== false)
    faults.push(...problems)
    if (problems.length || 'problem' in amount || 'problem' in day) continue
    const validFrom = day.day ?? (own.length ? today : beginning)
    // The newest come first.
    const held = own.find(cost => cost.validFrom <= validFrom)
    valid.push({
      line: line.line,
      sku: line.sku,
      title: product?.title ?? null,
      validFrom,
      cogsMicros: amount.micros,
      beforeMicros: held?.validFrom === validFrom ? held.cogsMicros : null,
      heldMicros: held?.cogsMicros ?? null,
    })
  }
  const { once, repeated } = splitRepeated(valid)
  const changes = once.filter(change => change.heldMicros !== change.cogsMicros)
  const all = [...faults, ...repeated].toSorted((a, b) => a.line - b.line)
  return { changes, faults: all, unchanged: once.length - changes.length }
}

const fault = ({ line }: CostLine, field: CostFault['field'], value: string, message: string): CostFault => ({
  line,
  field,
  value: value.slice(0, 200),
  message,
})

function skuProblem(sku: string): string {
  return sku === '' ? 'There is no SKU.' : 'You list no product with this SKU in this marketplace.'
}

/** Which of two lines for one sku and day was meant is not known: both are faults. */
function splitRepeated(changes: readonly CostChange[]): { once: CostChange[]; repeated: CostFault[] } {
  const groups = [...Map.groupBy(changes, change => JSON.stringify([change.sku, change.validFrom])).values()]
  return {
    once: groups.flatMap(group => (group.length === 1 ? group : [])),
    repeated: groups
      .filter(group => group.length > 1)
      .flatMap(group =>
        group.map((change): CostFault => {
          const others = group.filter(other => other !== change).map(other => other.line)
          const named = others.slice(0, 3).join(', ')
          const message = `Line ${named}${others.length > 3 ? ' and more' : ''} names the same SKU and day.`
          return { line: change.line, field: 'sku', value: change.sku.slice(0, 200), message }
        }),
      ),
  }
}

interface Applied extends Pick<ImportBody, 'apply' | 'fileName'> {
  changes: readonly CostChange[]
  faults: number
  /** What was decided, or found. */
  decimal: DecimalMark | null
}

async function applyChanges(
  tx: Db,
  ctx: Ctx,
  profile: Profile,
  { apply, fileName: name, changes, faults, decimal }: Applied,
): Promise<number | null> {
  if (apply === 'NONE') return null
  if (decimal === null)
    throw new AppError('RULE_VIOLATED', 'Say first whether decimals come after a point or a comma in this file.')
  if (apply === 'ALL' && faults > 0)
    throw new AppError('RULE_VIOLATED', 'Nothing was changed: some lines are faulty. Correct them or leave them out.')
  if (!changes.length) return null
  const { merchantId, marketplaceId } = profile
  const { accountId } = ctx.actor
  const at = ctx.clock.now()
  const stored = changes.map(({ sku, validFrom, beforeMicros, cogsMicros }) => ({
    sku,
    validFrom,
    beforeMicros,
    afterMicros: cogsMicros,
  }))
  const { id } = await tx
    .insertInto('cost_import')
    .values({
      merchant_id: merchantId,
      marketplace_id: marketplaceId,
      account_id: accountId,
      file_name: name,
      changes: JSON.stringify(stored),
      created_at: at,
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveCosts(tx, profile, changes, { at, importId: id })
  const entry = { merchantId, accountId, requestId: ctx.requestId, entity: 'cost_import', entityId: id }
  await recordAudit(tx, { ...entry, action: 'product.import-cogs', after: { fileName: name, changes: stored.length } })
  return id
}

/** The last imports of the current marketplace, the newest first. */
export function listCostImports(ctx: Ctx): Promise<EndpointOutput<(typeof endpoints)['costImports']>> {
  return readAccount(ctx, async (tx, { merchantId, marketplaceId }) => {
    const { rows } = await sql<{
      id: number
      fileName: string
      createdAt: Date
      changes: number
      undoneAt: Date | null
    }>`select id, file_name as "fileName", created_at as "createdAt", jsonb_array_length(changes) as changes, undone_at as "undoneAt"
      from cost_import where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId}
      order by created_at desc, id desc limit 10`.execute(tx)
    return rows.map(({ createdAt, undoneAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      undoneAt: undoneAt?.toISOString() ?? null,
    }))
  })
}

/** Every listed sku with its present cost, to be filled in; the days are left empty. */
export async function costTemplate(
  ctx: Ctx,
  { format }: EndpointParsed<(typeof endpoints)['costTemplate']>['query'],
): Promise<FileAnswer> {
  const { profile, rows } = await readAccount(ctx, async (tx, account) => {
    const today = dayIn(ctx.clock.now(), account.timezone)
    const found = await sql<{ sku: string; title: string | null; cogsMicros: Micros | null }>`
      select p.sku, p.title, cost.cogs_micros as "cogsMicros" from product p ${joinCost(account, 'p', today)}
      where p.merchant_id = ${account.merchantId} and p.marketplace_id = ${account.marketplaceId} and p.gone_at is null
      order by lower(p.title) nulls last, p.id`.execute(tx)
    return { profile: account, rows: found.rows }
  })
  async function* cells() {
    for (const { sku, title, cogsMicros } of rows)
      yield [sku, title, cogsMicros === null ? null : fromMicros(cogsMicros), null]
  }
  const text = (heading: string, width: number) => ({ ...fileColumn(heading, 'text', profile.currency), width })
  return tableFile({
    name: fileName('cogs', profile),
    format,
    sheet: 'cogs',
    columns: [text('sku', 24), text('title', 50), text('cogs', 12), text('valid_from', 14)],
    rows: cells(),
  })
}
