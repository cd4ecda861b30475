import { type ReactNode, useId } from 'react'

interface CardProps {
  title?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

export function Card({ title, aside, children }: CardProps) {
  const id = useId()
  return (
    <section className="card" aria-labelledby={title ? id : undefined}>
      {(title || aside) && (
        <div className="card-head">
          {title && <h2 id={id}>{title}</h2>}
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

export function KeyValue({ items }: { items: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="key-value">
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
