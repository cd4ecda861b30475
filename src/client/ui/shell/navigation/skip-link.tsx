/** The way past the menu for keyboards: the first thing that Tab reaches. */
export function SkipLink() {
  return (
    <a className="skip-link" href="#page-title" onClick={toHeading}>
      Skip to content
    </a>
  )
}

// The address keeps its own fragment, so the heading is focused here.
function toHeading(event: React.MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#page-title')?.focus()
}
