import { useQuery } from '@tanstack/react-query'
import { formatPercent } from '#client/ui/figures/format.ts'
import { useShop } from '#features/accounts/client/public.ts'
import { entities, type EntityName } from '#features/structure/contract.ts'
import type { Placement } from '#shared/campaign-rules.ts'
import type { Field } from '#shared/fields.ts'
import { bulkQueries } from '../bulk/bulk-queries.ts'
import { type FieldValue, formatField, placementLabels } from '../form/field-labels.ts'

/** Who made changes that no user's name stands for. */
export const originLabels = {
  USER: 'A user who left',
  MARKETPLACE: 'The marketplace or its console',
  LAUNCH: 'A launch',
  RULE: 'A rule',
} as const

/** What a change is about: a field, or that something was created or could not be. */
export function changeLabel(entity: EntityName, field: string | null): string {
  if (field === 'syncState') return 'Not created'
  const fields: Record<string, Field> = entities[entity].fields
  return field === null ? 'Created' : (fields[field]?.label ?? field)
}

/** What happened to an entity as a whole has no values. */
export const hasValues = (field: string | null): field is string => field !== null && field !== 'syncState'

interface ChangedValueProps {
  entity: EntityName
  field: string
  before: unknown
  after: unknown
  currency: string
}

/** What a field was and what it is, in its units. */
export function ChangedValue({ entity, field, before, after, currency }: ChangedValueProps) {
  const textOf = useValueText(entity, field, currency)
  return (
    <span className="changed-value">
      <span className="visually-hidden">from </span>
      <span className="changed-before">{textOf(before)}</span>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden"> to </span>
      <strong>{textOf(after)}</strong>
    </span>
  )
}

/** How the values of a field are written for people; portfolios by their names, once those are loaded. */
function useValueText(entity: EntityName, field: string, currency: string): (value: unknown) => string {
  const { data: portfolios } = useQuery({ ...bulkQueries.portfolios(useShop()), enabled: field === 'portfolioId' })
  return value =>
    (field === 'portfolioId' && portfolios?.find(({ id }) => id === value)?.name) ||
    valueText(entity, field, value, currency)
}

/** A value of a field as people read it. */
export function valueText(entity: EntityName, field: string, value: unknown, currency: string): string {
  if (field === 'portfolioId' && typeof value === 'string') return `Portfolio ${value}`
  if (Array.isArray(value)) return placementsText(value as { placement: string; percentage: number }[])
  const fields: Record<string, Field> = entities[entity].fields
  const described = fields[field]
  return described ? formatField(field, described, (value ?? null) as FieldValue, currency) : JSON.stringify(value)
}

const placementsText = (list: readonly { placement: string; percentage: number }[]): string =>
  list
    .filter(({ percentage }) => percentage !== 0)
    .map(
      ({ placement, percentage }) =>
        `${placementLabels[placement as Placement] ?? placement} ${formatPercent(percentage, 0)}`,
    )
    .join(', ') || 'None'
