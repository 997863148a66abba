/** How long a strategy that answers late may take, in real time: its own work takes some. */
export const PATIENCE_MS = 10_000
