import { useInfiniteQuery } from '@tanstack/react-query'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { AdGroupRow, AdRow, TargetRow } from '../../contract.ts'
import { campaignQueries } from '../queries.ts'
import { RowStatus } from '../list/row-status.tsx'
import { Link } from '@tanstack/react-router'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { useMayChange } from '#features/accounts/client/public.ts'
import { EntityList } from '../list/entity-list.tsx'
import { filterOf, filtersIn, filtersOfList } from '../list/list-filters.ts'
import { type ListSearch } from '../list/list-search.ts'
import { adSorts, columnOf, targetSorts } from '../list/use-list-page.ts'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { RowFigures } from '../figures/row-figures.tsx'
import { ActionRow, useEditableRow } from '../edit/editable-row.tsx'
import { archiveOutline, cashOutline } from 'ionicons/icons'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { EditSheet } from '../edit/edit-sheet.tsx'
import { adFields } from '#features/structure/contract.ts'
import { formatField, matchWords } from '../form/field-labels.ts'
import { targetText } from '#shared/target-text.ts'

interface ContentsProps {
  /** Absent: what is in all of them. */
  adGroup?: AdGroupRow
  search: ListSearch
  range: DateRange
  shop: Shop
  onChange: (change: Partial<ListSearch>) => void
}

/** What is in an ad group, or in all of them, one kind at a time. */
export function AdGroupContents({ tab, ...props }: ContentsProps & { tab: 'ads' | 'keywords' | 'targets' }) {
  return {
    ads: <Ads {...props} />,
    keywords: <Targets {...props} list="keywords" />,
    targets: <Targets {...props} list="targets" />,
  }[tab]
}

/** What the lists of an ad group's contents ask of the server. */
export const contentsFilter = {
  keywords: ({ name, ...search }: ListSearch, range: DateRange, adGroupId?: number) => ({
    ...filterOf(search, range, columnOf(targetSorts, search.sortBy, 'cost')),
    ...filtersIn(filtersOfList.keywords, search),
    ...(name && { keywordText: name }),
    ...(adGroupId !== undefined && { adGroupId }),
  }),
  targets: (search: ListSearch, range: DateRange, adGroupId?: number) => ({
    ...filterOf(search, range, columnOf(targetSorts, search.sortBy, 'cost')),
    ...filtersIn(filtersOfList.targets, search),
    ...(adGroupId !== undefined && { adGroupId }),
  }),
  ads: (search: ListSearch, range: DateRange, adGroupId?: number) => ({
    ...filterOf(search, range, columnOf(adSorts, search.sortBy, 'cost')),
    ...filtersIn(filtersOfList.ads, search),
    ...(adGroupId !== undefined && { adGroupId }),
  }),
}

const none = (what: string, isInAdGroup: boolean) => (
  <EmptyState
    title={isInAdGroup ? `No ${what} here` : `No ${what} found`}
    hint={isInAdGroup ? 'This ad group has none, or none match the filters.' : 'None match the filters.'}
  />
)
const isInAll = (adGroup: AdGroupRow | undefined): boolean => adGroup === undefined

function Targets({ list, ...props }: ContentsProps & { list: 'keywords' | 'targets' }) {
  const { search, shop, adGroup, range, onChange } = props
  const isKeywords = list === 'keywords'
  const keywordFilter = contentsFilter.keywords(search, range, adGroup?.id)
  const targetFilter = contentsFilter.targets(search, range, adGroup?.id)
  const keywords = useInfiniteQuery({ ...campaignQueries.keywords(shop, keywordFilter), enabled: isKeywords })
  const targets = useInfiniteQuery({ ...campaignQueries.targets(shop, targetFilter), enabled: !isKeywords })
  const common = { defaultBid: adGroup?.defaultBid ?? null, shop, isInAll: isInAll(adGroup) }
  return (
    <EntityList
      kind={isKeywords ? 'keyword' : 'target'}
      what={list}
      query={isKeywords ? keywords : targets}
      filter={isKeywords ? keywordFilter : targetFilter}
      search={search}
      sorts={targetSorts}
      onChange={onChange}
      empty={none(list, !isInAll(adGroup))}
      nameLabel={isKeywords ? 'Keyword' : 'Target'}
      nameOf={targetText}
      renderName={row => <ContentsName name={targetText(row)} row={row} tab={list} isLink={common.isInAll} />}
      renderMenu={row => <TargetMenu row={row} {...common} />}
    >
      {row => <TargetRowItem row={row} {...common} />}
    </EntityList>
  )
}

function Ads({ search, shop, adGroup, range, onChange }: ContentsProps) {
  const filter = contentsFilter.ads(search, range, adGroup?.id)
  const query = useInfiniteQuery(campaignQueries.ads(shop, filter))
  return (
    <EntityList
      kind="ad"
      what="ads"
      query={query}
      filter={filter}
      search={search}
      sorts={adSorts}
      onChange={onChange}
      empty={none('ads', !isInAll(adGroup))}
      nameLabel="Product"
      nameOf={adName}
      renderName={row => (
        <ContentsName
          name={adName(row)}
          row={row}
          tab="ads"
          isLink={isInAll(adGroup)}
          detail={row.asin ? row.sku : null}
        />
      )}
      renderMenu={row => <AdMenu row={row} />}
    >
      {row => <AdRowItem row={row} isInAll={isInAll(adGroup)} />}
    </EntityList>
  )
}

interface ContentsNameProps {
  name: string
  row: AdRow | TargetRow
  tab: 'ads' | 'keywords' | 'targets'
  /** In a list over all ad groups: where the row is. */
  isLink: boolean
  detail?: string | null
}

/** What names a keyword, target or ad in a table; over all ad groups it leads to its own. */
function ContentsName({ name, row, tab, isLink, detail }: ContentsNameProps) {
  return (
    <>
      {isLink ? (
        <Link to="/adgroup-details" search={{ adGroupId: row.adGroupId, tab }}>
          {name}
        </Link>
      ) : (
        <strong>{name}</strong>
      )}
      {(isLink || detail) && (
        <div className="data-table-detail">{[detail, isLink && row.campaignName].filter(Boolean).join(' · ')}</div>
      )}
    </>
  )
}

const adName = (ad: AdRow): string => ad.name ?? ad.asin ?? ad.sku ?? ad.amazonId

function useAdRow(stored: AdRow) {
  const mayChange = useMayChange()
  const editable = useEditableRow('ad', stored, ad => ({
    name: adName(ad),
    href: `/adgroup-details?adGroupId=${ad.adGroupId}&tab=ads`,
  }))
  return { ...editable, actions: editable.next && mayChange ? [editable.switchAction] : [] }
}

function AdMenu({ row }: { row: AdRow }) {
  const { name, actions } = useAdRow(row)
  return actions.length > 0 && <RowMenu name={name} actions={actions} />
}

/** The ad of a product: paused or enabled by a swipe or behind a button. */
function AdRowItem({ row: stored, isInAll: inAll }: { row: AdRow; isInAll: boolean }) {
  const { row, name, note, actions } = useAdRow(stored)
  return (
    <ActionRow name={name} actions={actions}>
      <ListRow
        title={name}
        {...(inAll && { to: '/adgroup-details', search: { adGroupId: row.adGroupId, tab: 'ads' } })}
        detail={
          <div className="row-status">
            <RowStatus {...row} />
            {row.format && <span>{formatField('format', adFields.format, row.format, '')}</span>}
            {row.name && row.asin && <span>{row.asin}</span>}
            {row.asins && row.asins.length > 1 && <span>{row.asins.length} products</span>}
            {row.asin && row.sku && <span>{row.sku}</span>}
            {inAll && <span>{row.campaignName}</span>}
          </div>
        }
        figures={<RowFigures figures={row} currency={row.currency} />}
      />
      {note}
    </ActionRow>
  )
}

interface TargetRowProps {
  row: TargetRow
  /** Holds where the row has no bid of its own; null where it is not known. */
  defaultBid: number | null
  shop: Shop
  isInAll: boolean
}

/** A keyword or target as the user wants it, and what can be done with it; its bid is changed in a sheet. */
function useTargetRow({ row: stored, defaultBid, shop }: TargetRowProps) {
  const online = useOnline()
  const mayChange = useMayChange()
  const { opened, open, close } = useSheetAddress('sheet', 'row')
  const kind = stored.kind === 'KEYWORD' ? ('keyword' as const) : ('target' as const)
  const editable = useEditableRow(kind, stored, target => ({
    name: targetText(target),
    href: `/adgroup-details?adGroupId=${target.adGroupId}`,
  }))
  const { row, name, href, next, switchAction, archive } = editable
  const actions: RowAction[] =
    next && mayChange
      ? [switchAction, { label: 'Change bid', icon: cashOutline, onSelect: () => open({ sheet: 'bid', row: row.id }) }]
      : []
  // The marketplace keeps the automatic groups; and what is for good is not left waiting.
  if (actions.length && online && row.kind !== 'AUTO')
    actions.push({ label: 'Archive', icon: archiveOutline, tone: 'danger', onSelect: () => void archive() })
  const sheet = opened.sheet === 'bid' && opened.row === row.id && (
    <EditSheet
      kind={kind}
      row={row}
      {...(row.bid === null && { inherited: { bid: defaultBid } })}
      name={name}
      names={['bid']}
      title={`Bid for ${name}`}
      submitLabel="Save bid"
      savedTitle="Bid saved"
      shop={shop}
      href={href}
      onClose={close}
    />
  )
  return { ...editable, kind, actions, sheet }
}

function TargetMenu(props: TargetRowProps) {
  const { name, actions, sheet } = useTargetRow(props)
  return (
    <>
      {actions.length > 0 && <RowMenu name={name} actions={actions} />}
      {sheet}
    </>
  )
}

/** A keyword or target: its bid changed, paused, enabled, or archived, by a swipe or behind a button. */
function TargetRowItem(props: TargetRowProps) {
  const { row, name, note, kind, actions, sheet } = useTargetRow(props)
  const { defaultBid, isInAll: inAll } = props
  return (
    <>
      <ActionRow name={name} actions={actions}>
        <ListRow
          title={name}
          {...(inAll && { to: '/adgroup-details', search: { adGroupId: row.adGroupId, tab: `${kind}s` } })}
          detail={
            <div className="row-status">
              <RowStatus {...row} />
              {row.kind === 'KEYWORD' && <span>{matchWords(row.matchType)}</span>}
              <span>
                {row.bid === null ? 'Default bid ' : 'Bid '}
                {(row.bid !== null || defaultBid !== null) && (
                  <Money amount={row.bid ?? defaultBid} currency={row.currency} />
                )}
              </span>
              {inAll && <span>{row.campaignName}</span>}
            </div>
          }
          figures={<RowFigures figures={row} currency={row.currency} />}
        />
        {note}
      </ActionRow>
      {sheet}
    </>
  )
}
