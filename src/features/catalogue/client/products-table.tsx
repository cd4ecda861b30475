import { Figure } from '#client/ui/figures/figure.tsx'
import { formatFigure, type FigureKind } from '#client/ui/figures/format.ts'
import { DataTable, TableCell, type TableColumn } from '#client/ui/lists/data-table.tsx'
import type { InventoryProduct } from '../contract.ts'
import { CogsField } from './cogs-field.tsx'
import type { InventorySearch } from './inventory-search.ts'
import { EligibilityTag, ProductIds, ProductLink, ProductPicture } from './product-head.tsx'
import { unknownBecause } from './product-words.ts'

const columns = {
  name: { name: 'name', label: 'Product', text: true },
  eligible: { name: 'eligible', label: 'Advertising', text: true, rank: 1 },
  price: { name: 'price', label: 'Price' },
  available: { name: 'available', label: 'Available' },
  inbound: { name: 'inbound', label: 'Inbound', rank: 2 },
  rank: { name: 'rank', label: 'Best seller rank', rank: 3 },
  cogs: { name: 'cogs', label: 'COGS' },
} satisfies Record<string, TableColumn>

/** The products with stock, price and cost, where the list has the whole width. */
export function ProductsTable({
  products,
  search,
}: {
  products: readonly InventoryProduct[]
  search: InventorySearch
}) {
  return (
    <DataTable<InventoryProduct, string>
      label="Products"
      columns={Object.values(columns)}
      items={products}
      itemKey={product => product.productId}
    >
      {product => (
        <>
          <TableCell column={columns.name}>
            <div className="stock-cell">
              <ProductPicture product={product} />
              <div>
                <ProductLink product={product} search={search} resetScroll={false} />
                <ProductIds product={product} />
              </div>
            </div>
          </TableCell>
          <TableCell column={columns.eligible}>
            <EligibilityTag product={product} />
          </TableCell>
          <TableCell column={columns.price}>
            {full(product.customerPrice, 'money', unknownBecause.customerPrice, product.customerCurrency)}
          </TableCell>
          <TableCell column={columns.available}>{full(product.available, 'count', unknownBecause.stock)}</TableCell>
          <TableCell column={columns.inbound}>{full(product.inboundQuantity, 'count', unknownBecause.stock)}</TableCell>
          <TableCell column={columns.rank}>
            {full(product.bestSellerRank, 'count', unknownBecause.bestSellerRank)}
          </TableCell>
          <TableCell column={columns.cogs}>
            <CogsField product={product} />
          </TableCell>
        </>
      )}
    </DataTable>
  )
}

const full = (value: number | null, kind: FigureKind, reason: string, currency?: string) =>
  value === null ? <Figure value={null} kind={kind} reason={reason} /> : formatFigure(value, kind, currency)
