import { formatDay } from '#client/ui/figures/format-time.ts'

/** Says which of the days shown may still change; nothing when none may. */
export const MovingNote = ({ movingFrom, to }: { movingFrom: string | null; to: string }) =>
  movingFrom !== null && to >= movingFrom ? (
    <span className="data-age"> · from {formatDay(movingFrom)} on they may still change</span>
  ) : null
