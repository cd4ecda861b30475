import { useId } from 'react'
import { Button } from '#client/ui/states/button.tsx'
import type { LaunchPreview, Notice } from '../../contract.ts'

const kindWords: Record<Notice['kind'], string> = {
  OVERLAP: 'Overlap',
  ABOVE_BREAK_EVEN: 'Break-even',
  RANKING_TOO_LOW: 'Ranking',
  SMALL_BUDGET: 'Budget',
  OUT_OF_STOCK: 'Out of stock',
  ELIGIBILITY: 'Eligibility',
  MANY_PRODUCTS: 'Many products',
  PLAN: 'Plan',
}

interface WorthKnowingProps extends Pick<LaunchPreview, 'notices'> {
  onLeaveOutRanking: () => void
}

/** What matters before the launch, the weightiest first, each with what exactly it is about. */
export const WorthKnowing = ({ notices, onLeaveOutRanking }: WorthKnowingProps) => {
  const id = useId()
  if (!notices.length) return null
  return (
    <section className="card warnings" aria-labelledby={id}>
      <h2 id={id}>Worth knowing</h2>
      <ul className="plain-list">
        {notices.map(({ kind, message, details }) => (
          <li key={`${kind} ${message}`} className="notice">
            <span className="tag">{kindWords[kind]}</span>
            <p>{message}</p>
            <Details details={details} />
            {kind === 'RANKING_TOO_LOW' && <Button onClick={onLeaveOutRanking}>Leave Ranking out</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}

// A few are read at a glance; hundreds of overlaps would push the rest of the review out of sight.
const shownAtOnce = 3

const Details = ({ details }: Pick<Notice, 'details'>) => {
  if (!details.length) return null
  const list = (
    <ul className="small">
      {details.map(detail => (
        <li key={detail}>{detail}</li>
      ))}
    </ul>
  )
  if (details.length <= shownAtOnce) return list
  return (
    <details className="fold">
      <summary>Show all {details.length}</summary>
      {list}
    </details>
  )
}
