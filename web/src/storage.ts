const KEY = 'lucena';

/** What the last visit kept; nothing where it is damaged or not allowed. */
export function kept(): Record<string, unknown> {
    try {
        const state: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
        return typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
    } catch {
        return {};
    }
}

/** Keeps a state for the next visit. Without room or permission the page works on without. */
export function keep(state: Record<string, unknown>): void {
    try {
        localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
        try {
            localStorage.setItem(KEY, JSON.stringify({ ...state, review: undefined }));
        } catch {
            // No storage.
        }
    }
}
