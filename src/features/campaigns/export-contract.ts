import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { type Fields, rowEntries } from '#shared/fields.ts'
import { metricNames } from '#shared/metrics.ts'
import { dayRangeMessage, isDayRange } from '#shared/query-schemas.ts'
import { entities } from '#features/structure/contract.ts'
import * as list from './list-queries.ts'

/** What a list can be exported by: its own query without pages, the format and the columns. */
function exported<E extends v.ObjectEntries & { page: v.GenericSchema; size: v.GenericSchema }>(
  { entries }: { entries: E },
  fields: Fields,
  hasFigures = true,
) {
  const { page: _page, size: _size, ...filters } = entries
  const names = [...Object.keys(rowEntries(fields)), ...(hasFigures ? metricNames : [])]
  return v.pipe(
    v.strictObject({ ...filters, ...exportQuery(names) }),
    v.check(query => isDayRange(query as Parameters<typeof isDayRange>[0]), dayRangeMessage),
  )
}

const file = { ...exportEndpoint, errors: ['RULE_VIOLATED'] } as const

/** Every list as a file: all rows that match, in the order of the screen. */
export const exportEndpoints = {
  campaigns: defineEndpoint({
    ...file,
    path: '/campaign/cm/export',
    summary: 'All campaigns that match, as CSV or XLSX',
    query: exported(list.campaignsQuery, entities.campaign.fields),
  }),
  adGroups: defineEndpoint({
    ...file,
    path: '/adgroups/cm/export',
    summary: 'All ad groups that match, as CSV or XLSX',
    query: exported(list.adGroupsQuery, entities.adGroup.fields),
  }),
  ads: defineEndpoint({
    ...file,
    path: '/ads/cm/export',
    summary: 'All advertised products that match, as CSV or XLSX',
    query: exported(list.adsQuery, entities.ad.fields),
  }),
  keywords: defineEndpoint({
    ...file,
    path: '/keywords/cm/export',
    summary: 'All keywords that match, as CSV or XLSX',
    query: exported(list.keywordsQuery, entities.target.fields),
  }),
  targets: defineEndpoint({
    ...file,
    path: '/targets/cm/export',
    summary: 'All product targets and automatic groups that match, as CSV or XLSX',
    query: exported(list.targetsQuery, entities.target.fields),
  }),
  negatives: defineEndpoint({
    ...file,
    path: '/negatives/cm/export',
    summary: 'All negatives that match, as CSV or XLSX',
    query: exported(list.negativesQuery, entities.negative.fields, false),
  }),
}
