interface DiagnosticCounts {
	readonly error_count: number;
	/** Null if a file is not known. */
	readonly warning_count: number | null;
	readonly files_checked: number;
}

/** Sizes count UTF-16 units. */
export interface EditSummary {
	readonly mode: string;
	readonly file?: string;
	readonly rename?: { readonly from: string | null; readonly to: string };
	readonly old_size?: number;
	readonly new_size?: number;
	readonly files_written: number;
	readonly lines_added: number;
	readonly lines_removed: number;
	readonly undo?: string;
	/** Present only with `auditPreview`. */
	readonly old_text?: string;
	readonly new_text?: string;
}

/** agent-lsp's fields; one that does not apply is null. */
export interface AuditRecord {
	readonly timestamp: string;
	readonly tool: string;
	readonly session_id: string | null;
	/** Absolute. */
	readonly files: readonly string[];
	readonly edit_summary: EditSummary | null;
	readonly diagnostics_before: DiagnosticCounts | null;
	readonly diagnostics_after: DiagnosticCounts | null;
	readonly net_delta: { readonly errors: number; readonly warnings: number | null } | null;
	readonly success: boolean;
	readonly error_message: string | null;
	readonly duration_ms: number;
}
