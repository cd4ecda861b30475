import type { ReactNode, RefObject } from 'react'
import { Button } from '#client/ui/states/button.tsx'
import { useLastUndo } from './undo.ts'

interface ListHeadingProps {
  /** Takes the focus when the row that had it goes away. */
  heading: RefObject<HTMLHeadingElement | null>
  level?: 'h2' | 'h3'
  /** The list, as `undoable` names it. */
  scope: string
  title: string
  /** At the end of the line. */
  children?: ReactNode
}

/** What a list is, and how its newest change is taken back by who cannot reach the notification, or not in time. */
export function ListHeading({ heading, level: Heading = 'h3', scope, title, children }: ListHeadingProps) {
  const undo = useLastUndo(scope)
  return (
    <div className="card-head">
      <Heading ref={heading} tabIndex={-1}>
        {title}
      </Heading>
      {undo && (
        <Button
          className="undo-here"
          onClick={() => {
            undo.run()
            heading.current?.focus()
          }}
        >
          Undo: {undo.title}
        </Button>
      )}
      {children}
    </div>
  )
}
