import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { formatPercent } from '#client/ui/figures/format.ts'
import { Button } from '#client/ui/states/button.tsx'
import { launchQueries } from '../queries.ts'
import type { Margins } from '../../contract.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { StepProps } from '../steps/step-parts.tsx'

const inventory: string = '/inventory'

/** The break-even ACOS of the product with the lowest margin, or why it is unknown. */
export function BreakEvenAcos({ state, shop }: Pick<StepProps, 'state' | 'shop'>) {
  const online = useOnline()
  const skus = state.products.map(p => p.sku)
  const { data, error, refetch } = useQuery({ ...launchQueries.margins(shop, skus), enabled: skus.length > 0 })
  if (!skus.length)
    return <p className="muted small">The break-even ACOS appears here once you choose products in step 4.</p>
  if (data) return <BreakEven margins={data} state={state} />
  if (!online) return <p className="muted small">The break-even ACOS needs a connection.</p>
  if (!error) return <p className="muted small">Calculating the break-even ACOS…</p>
  return (
    <div className="break-even">
      <p className="small">The break-even ACOS could not be loaded.</p>
      <Button onClick={() => void refetch()}>Try again</Button>
    </div>
  )
}

function BreakEven({ margins, state: { products, targetAcos } }: { margins: Margins; state: WizardState }) {
  const { breakEvenAcos, caveat } = margins
  const unknown = margins.products.filter(p => p.unknownBecause !== null)
  const titleOf = (sku: string) => products.find(p => p.sku === sku)?.title ?? sku
  const isAbove = breakEvenAcos !== null && targetAcos !== null && targetAcos > breakEvenAcos
  return (
    <div className="break-even">
      <p>
        Break-even ACOS: <strong>{breakEvenAcos === null ? 'unknown' : formatPercent(breakEvenAcos)}</strong>
        {breakEvenAcos !== null && products.length > 1 && ' (of the product with the lowest margin)'}
      </p>
      <output className="danger small">
        {isAbove && 'The target is higher than that: an average sale from these ads would lose money.'}
      </output>
      {breakEvenAcos !== null && <p className="muted small">{caveat}</p>}
      {unknown.length > 0 && (
        <details className="fold" open={unknown.length === 1}>
          <summary>
            Unknown for {unknown.length} of {products.length} {products.length === 1 ? 'product' : 'products'}
          </summary>
          <ul className="small">
            {unknown.map(({ productId, sku, price, cogs, unknownBecause }) => (
              <li key={sku}>
                {titleOf(sku)}: {unknownBecause}
                {price !== null && cogs === null && (
                  <>
                    {' '}
                    <Link
                      to={inventory}
                      className="button button-quiet"
                      search={{ product: productId, search: sku, from: 'wizard' }}
                      aria-label={`Enter COGS of ${titleOf(sku)}`}
                    >
                      Enter COGS
                    </Link>
                  </>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
