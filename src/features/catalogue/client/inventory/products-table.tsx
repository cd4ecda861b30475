import { Link } from '@tanstack/react-router'
import { Figure } from '#client/ui/figures/figure.tsx'
import { formatFigure } from '#client/ui/figures/format.ts'
import { DataTable, TableCell, type TableColumn } from '#client/ui/lists/data-table.tsx'
import type { InventoryProduct } from '../../contract.ts'
import { CogsField } from '../cogs/cogs-field.tsx'
import { EligibilityTag } from '../eligibility-tag.tsx'
import { ProductPicture } from '../product-picture.tsx'
import { nameOf, unknownBecause } from '../product-words.ts'
import type { InventorySearch } from './inventory-search.ts'

const nameColumn: TableColumn = { name: 'name', label: 'Product', text: true }
const eligibleColumn: TableColumn = { name: 'eligible', label: 'Advertising', text: true, rank: 1 }
const priceColumn: TableColumn = { name: 'price', label: 'Price' }
const availableColumn: TableColumn = { name: 'available', label: 'Available' }
const inboundColumn: TableColumn = { name: 'inbound', label: 'Inbound', rank: 2 }
const rankColumn: TableColumn = { name: 'rank', label: 'Best seller rank', rank: 3 }
const costColumn: TableColumn = { name: 'cogs', label: 'COGS' }
const columns = [nameColumn, eligibleColumn, priceColumn, availableColumn, inboundColumn, rankColumn, costColumn]

interface ProductsTableProps {
  products: readonly InventoryProduct[]
  search: InventorySearch
}

/** The products with stock, price and cost, where the list has the whole width. */
export function ProductsTable({ products, search }: ProductsTableProps) {
  return (
    <DataTable label="Products" columns={columns} items={products} itemKey={product => product.productId}>
      {product => <Cells product={product} search={search} />}
    </DataTable>
  )
}

function Cells({ product, search }: { product: InventoryProduct; search: InventorySearch }) {
  const name = nameOf(product)
  return (
    <>
      <TableCell column={nameColumn}>
        <div className="stock-cell">
          <ProductPicture url={product.imageUrl} name={name} />
          <div>
            <Link
              to="/inventory"
              search={{ ...search, product: product.productId }}
              resetScroll={false}
              className="stock-link"
              data-row={product.productId}
            >
              <bdi>{name}</bdi>
            </Link>
            <p className="stock-ids">
              <bdi>{product.asin ?? 'no ASIN'}</bdi> · <bdi>{product.sku}</bdi>
            </p>
          </div>
        </div>
      </TableCell>
      <TableCell column={eligibleColumn}>
        <EligibilityTag product={product} />
      </TableCell>
      <TableCell column={priceColumn}>
        {product.customerPrice === null ? (
          <Figure value={null} kind="money" reason={unknownBecause.customerPrice} />
        ) : (
          formatFigure(product.customerPrice, 'money', product.customerCurrency)
        )}
      </TableCell>
      <TableCell column={availableColumn}>
        <Count value={product.available} reason={unknownBecause.stock} />
      </TableCell>
      <TableCell column={inboundColumn}>
        <Count value={product.inboundQuantity} reason={unknownBecause.stock} />
      </TableCell>
      <TableCell column={rankColumn}>
        <Count value={product.bestSellerRank} reason={unknownBecause.bestSellerRank} />
      </TableCell>
      <TableCell column={costColumn}>
        <CogsField product={product} />
      </TableCell>
    </>
  )
}

const Count = ({ value, reason }: { value: number | null; reason: string }) =>
  value === null ? <Figure value={null} kind="count" reason={reason} /> : formatFigure(value, 'count')
