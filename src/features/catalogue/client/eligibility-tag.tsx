import type { InventoryProduct } from '../contract.ts'
import { eligibilityWords } from './product-words.ts'

/** Whether a product may be advertised, with the reason in words. */
export function EligibilityTag({ product }: { product: InventoryProduct }) {
  const { label, tone, reason } = eligibilityWords(product)
  return (
    <div className="eligibility">
      <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span>
      {reason && (
        <span className="eligibility-reason" dir="auto">
          {reason}
        </span>
      )}
    </div>
  )
}
