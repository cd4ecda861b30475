import { Link } from '@tanstack/react-router'
import { cubeOutline, searchOutline } from 'ionicons/icons'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { InventoryPage } from '../../contract.ts'
import type { InventorySearch } from './inventory-search.ts'
import { shortened } from '../product-words.ts'

interface NoProductsProps {
  data: InventoryPage
  search: InventorySearch
  onChange: (search: Partial<InventorySearch>) => void
}

/** Nothing on this page, why, and what to do next. */
export function NoProducts({ data, search, onChange }: NoProductsProps) {
  if (data.page.totalElements > 0)
    return (
      <EmptyState
        title="This page is empty"
        hint="There are fewer products than there were."
        action={<Button onClick={() => onChange({ page: undefined })}>To the first page</Button>}
      />
    )
  if (search.search)
    return (
      <EmptyState
        icon={searchOutline}
        title={`No product matches “${shortened(search.search)}”`}
        hint="Try a part of the title, the SKU or the ASIN."
        action={<Button onClick={() => onChange({ search: undefined, page: undefined })}>Show all products</Button>}
      />
    )
  return (
    <EmptyState
      icon={cubeOutline}
      title="No products in this marketplace yet"
      hint="They come with the import of your seller account. If none are coming, see whether it is connected, or choose another marketplace."
      action={
        <Link to="/connections" className="button button-quiet">
          See connections
        </Link>
      }
    />
  )
}
