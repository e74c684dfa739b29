import type { AnyOperation } from "../contract/operation.ts";
import { applyCodeAction } from "./apply-code-action.ts";
import { applyEdit } from "./apply-edit.ts";
import { architecture } from "./architecture.ts";
import { build, test } from "./build.ts";
import { calls } from "./calls.ts";
import { capabilities } from "./capabilities.ts";
import { codeActions } from "./code-actions.ts";
import { compare } from "./compare.ts";
import { completion } from "./completion.ts";
import { context } from "./context.ts";
import { crossRepo } from "./cross-repo.ts";
import { declaration } from "./declaration.ts";
import { definition } from "./definition.ts";
import { detectChanges } from "./detect-changes.ts";
import { check, diagnostics } from "./diagnostics.ts";
import { doctor } from "./doctor.ts";
import { documentation } from "./documentation.ts";
import { close, filesChanged, open } from "./documents.ts";
import { executeCommand } from "./execute-command.ts";
import { explore } from "./explore.ts";
import { extract } from "./extract.ts";
import { find } from "./find.ts";
import { fix } from "./fix.ts";
import { folders } from "./folders.ts";
import { folding } from "./folding.ts";
import { format } from "./format.ts";
import { highlights } from "./highlights.ts";
import { hover } from "./hover.ts";
import { impact } from "./impact.ts";
import { implementation } from "./implementation.ts";
import { inlayHints } from "./inlay-hints.ts";
import { inline } from "./inline.ts";
import { logLevel } from "./log-level.ts";
import { moveFile, renameFile } from "./move-file.ts";
import { moveSymbol } from "./move-symbol.ts";
import { organizeImports } from "./organize-imports.ts";
import { prepareRename } from "./prepare-rename.ts";
import { applyIfClean, preview } from "./preview.ts";
import { references } from "./references.ts";
import { rename } from "./rename.ts";
import { semanticTokens } from "./semantic-tokens.ts";
import { restart, servers, status } from "./servers.ts";
import { signature } from "./signature.ts";
import { simulateBegin, simulateDiscard, simulateEdit, simulateEnd } from "./simulate.ts";
import { simulateCommit } from "./simulate-commit.ts";
import { simulateChain, simulateEvaluate } from "./simulate-evaluate.ts";
import { activateSkill, deactivateSkill, getSkillPhase } from "./skill-phases.ts";
import { source } from "./source.ts";
import { start } from "./start.ts";
import { deleteSymbol, insertAfter, insertBefore, replaceSymbol } from "./symbol-edits.ts";
import { symbols } from "./symbols.ts";
import { testsFor } from "./tests-for.ts";
import { typeDefinition } from "./type-definition.ts";
import { types } from "./types.ts";
import { undo } from "./undo.ts";
import { unused } from "./unused.ts";
import { verify } from "./verify.ts";
import { workspaceSymbols } from "./workspace-symbols.ts";

export const operations: readonly AnyOperation[] = [
	check,
	diagnostics,
	hover,
	definition,
	references,
	symbols,
	declaration,
	typeDefinition,
	implementation,
	highlights,
	calls,
	types,
	prepareRename,
	rename,
	replaceSymbol,
	insertBefore,
	insertAfter,
	deleteSymbol,
	moveFile,
	renameFile,
	moveSymbol,
	extract,
	inline,
	applyEdit,
	preview,
	applyIfClean,
	compare,
	simulateBegin,
	simulateEdit,
	simulateEvaluate,
	simulateChain,
	simulateCommit,
	simulateDiscard,
	simulateEnd,
	undo,
	signature,
	completion,
	inlayHints,
	semanticTokens,
	folding,
	codeActions,
	applyCodeAction,
	fix,
	organizeImports,
	format,
	executeCommand,
	workspaceSymbols,
	find,
	source,
	explore,
	context,
	documentation,
	testsFor,
	architecture,
	detectChanges,
	impact,
	crossRepo,
	unused,
	build,
	test,
	verify,
	capabilities,
	servers,
	doctor,
	status,
	start,
	restart,
	open,
	close,
	folders,
	filesChanged,
	logLevel,
	activateSkill,
	getSkillPhase,
	deactivateSkill,
];
