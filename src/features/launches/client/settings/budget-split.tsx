import { formatMoney } from '#client/ui/figures/format.ts'

/** The split of the daily budget. */
export function BudgetSplit({ split, currency }: { split: { name: string; budget: number }[]; currency: string }) {
  return (
    <dl className="split" aria-label="How the budget is shared">
      {split.map(({ name, budget }, i) => (
        <div key={`${name} ${i}`}>
          <dt>{name}</dt>
          <dd>{formatMoney(budget, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
