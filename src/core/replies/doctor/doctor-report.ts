import { table } from "../../../lib/table.js";
import {
  AREAS,
  areaOf,
  type Diagnosis,
  type DiagnosisLevel,
  isUnsafe,
  levelOf,
} from "../../doctor/diagnosis.js";
import { diagnosisText } from "./diagnosis-words.js";

const MARKS: Readonly<Record<DiagnosisLevel, string>> = {
  good: "ok",
  warning: "warn",
  bad: "BAD",
  unknown: "?",
};

/** What `koryph doctor` prints: a line for each diagnosis, with what to do under it, and what it comes to. */
export function doctorReport(diagnoses: readonly Diagnosis[]): string[] {
  const rows = inOrder(diagnoses).flatMap((diagnosis) => {
    const { says, fix } = diagnosisText(diagnosis);
    const row = [MARKS[levelOf(diagnosis)], areaOf(diagnosis), says];
    return fix === null ? [row] : [row, ["", "", `next: ${fix}`]];
  });
  return [...table(rows), "", conclusion(diagnoses)];
}

/** By what they are about; stable, so that what belongs together stays so. */
function inOrder(diagnoses: readonly Diagnosis[]): readonly Diagnosis[] {
  return AREAS.flatMap((area) => diagnoses.filter((diagnosis) => areaOf(diagnosis) === area));
}

function conclusion(diagnoses: readonly Diagnosis[]): string {
  const many = (level: DiagnosisLevel) =>
    diagnoses.filter((diagnosis) => levelOf(diagnosis) === level).length;
  const [bad, warnings, unknown] = [many("bad"), many("warning"), many("unknown")];
  const rest = [
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? "warning" : "warnings"}`] : []),
    ...(unknown > 0 ? [`${unknown} not looked at`] : []),
  ];
  const told = rest.length > 0 ? ` (${rest.join(", ")})` : "";
  if (bad > 0) return `${bad} ${bad === 1 ? "thing has" : "things have"} to be mended first${told}`;
  return `nothing stands in the way${told}`;
}

/** A promise to programs, as docs/json.md describes it. */
export function doctorJson(diagnoses: readonly Diagnosis[]) {
  return {
    safe: !isUnsafe(diagnoses),
    diagnoses: inOrder(diagnoses).map((diagnosis) => ({
      area: areaOf(diagnosis),
      code: diagnosis.code,
      level: levelOf(diagnosis),
      ...diagnosisText(diagnosis),
    })),
  };
}
