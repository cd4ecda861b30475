import { formatDay } from './format-time.ts'

/** Says which of the days shown may still change; nothing when none may. */
export function MovingNote({ movingFrom, to }: { movingFrom: string | null; to: string }) {
  return movingFrom !== null && to >= movingFrom ? (
    <span className="data-age"> · data since {formatDay(movingFrom)} may change</span>
  ) : null
}
