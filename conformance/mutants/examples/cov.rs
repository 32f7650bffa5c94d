use exactum_conformance::vectors::*;
fn main() {
    let root = std::path::Path::new(".");
    if std::env::args().any(|a| a == "--lies") {
        let t = std::time::Instant::now();
        let clauses = spec::clauses(root).unwrap();
        let suite = Suite::load(&root.join("vectors")).unwrap();
        let files: Vec<&File> = suite.files.iter().map(|(file, _)| file).collect();
        println!("{:?}", t.elapsed());
        let c = exactum_mutants::coverage::cover(&clauses, &files, &[], &exactum_mutants::lies())
            .unwrap();
        println!("{:?}", t.elapsed());
        println!("{}", exactum_mutants::coverage::render(&c));
        return;
    }
    let write = std::env::args().any(|a| a == "--write");
    let report = exactum_mutants::coverage::run(root, write).unwrap();
    println!("{}", report.summary);
}
