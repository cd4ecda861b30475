import { type ReactNode, createContext } from 'react'

export interface SheetStep {
  key: string
  title: string
  content: ReactNode
}
export interface SheetStackProps {
  /** What is being made; names the document. */
  name: string
  /** The same array while nothing on any sheet has changed: what is drawn already is then left alone. */
  steps: readonly SheetStep[]
  /** From 1; from useSheetStep. */
  step: number
  /** Asked by swipe, Escape, back button or a tap on the edge. */
  onStep: (step: number) => void
  /** Asked on the first sheet instead of onStep(0): leave, after a question if something would be lost. */
  onLeave: () => void
  footer: ReactNode
  /** Beside the column from 768 px: the summary. */
  aside?: ReactNode
}

/** "2 of 5". */
export const countText = (step: number, steps: readonly SheetStep[]): string => `${step} of ${steps.length}`

/** True on the sheet that the user has before them. What is drawn ahead asks the server for nothing that may not be needed. */
export const SheetInUse = createContext(true)
