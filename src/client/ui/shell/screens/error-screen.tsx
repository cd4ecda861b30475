import { useState } from 'react'
import { usePageTitle } from '../../ionic/use-page-focus.ts'
import { Button } from '../../states/button.tsx'

/** What stands in place of a screen that failed to draw. */
export function ErrorScreen({ error, reset }: { error: unknown; reset?: () => void }) {
  const [shown, setShown] = useState(false)
  usePageTitle('Something went wrong!')
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return (
    <main className="whole-screen">
      <h1 id="page-title" tabIndex={-1}>
        Something went wrong!
      </h1>
      <div className="button-row">
        <Button tone="primary" onClick={() => (reset ? reset() : location.reload())}>
          Try again
        </Button>
        <Button tone="quiet" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide Error' : 'Show Error'}
        </Button>
      </div>
      {shown && <pre className="error-text">{text}</pre>}
    </main>
  )
}
